/* quarantine.c - from results to who is in and who is out. */
#include "commands/quarantine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/buf.h"
#include "core/json.h"

static bool is(const json_t *object, const char *key, const char *text)
{
    return !strcmp(aisp_json_text(object, key), text);
}

json_t *aisp_quarantine_here(const char *artifacts_dir)
{
    struct aisp_store *store = NULL;
    json_t *list = NULL;

    if (aisp_store_open(&store, artifacts_dir, false, NULL) == AISP_OK)
        aisp_store_quarantine_list(store, &list, NULL);
    aisp_store_close(store);
    return list ? list : json_array();
}

const json_t *aisp_quarantine_find(const json_t *list, const char *target, const char *variant,
                                   const char *device)
{
    const json_t *entry;
    size_t i;

    json_array_foreach(list, i, entry)
        if (is(entry, "target", target) && is(entry, "variant", variant) &&
            is(entry, "device", device))
            return entry;
    return NULL;
}

static enum aisp_status let_out(struct aisp_store *store, const struct aisp_quarantine_entry *entry,
                                json_t *names, struct aisp_err *err)
{
    bool was_in;
    const enum aisp_status st = aisp_store_quarantine_clear(store, entry, &was_in, err);
    char *name;

    if (st || !was_in)
        return st;
    name = aisp_format("%s %s", entry->target, entry->variant);
    json_array_append_new(names, json_string(name));
    free(name);
    return AISP_OK;
}

enum aisp_status aisp_quarantine_let_out(struct aisp_store *store, const char *run,
                                         const json_t *result, json_t **out, struct aisp_err *err)
{
    struct aisp_quarantine_entry entry = { .target = aisp_json_text(result, "target"),
                                           .device = aisp_json_text(result, "device"),
                                           .run = run };
    json_t *names = json_array();
    enum aisp_status st = AISP_OK;

    if (!is(result, "grade", "invalid") && !*aisp_json_text(result, "not_measured")) {
        entry.variant = aisp_json_text(result, "variant");
        AISP_TRY(let_out(store, &entry, names, err));
        entry.variant = aisp_json_text(result, "reference");
        AISP_TRY(let_out(store, &entry, names, err));
    }
    *out = json_incref(names);
out:
    json_decref(names);
    return st;
}

/* The first violation says who: side a is the reference. What is said of the machine, the record or the target as a whole ("-")
 * accuses nobody. */
static enum aisp_status put_in(struct aisp_store *store, const char *run, const json_t *result,
                               size_t *n, struct aisp_err *err)
{
    static const char *const who[] = { "reference", "variant" };
    const json_t *finding;
    enum aisp_status st = AISP_OK;
    bool done[2] = { false, false };
    size_t i;

    json_array_foreach(json_object_get(result, "findings"), i, finding) {
        const char *side = aisp_json_text(finding, "side");
        const bool is_refused = is(finding, "check", "refused") && !*side && !is(result, "variant", "-");
        const int at = *side == 'a' ? 0 : 1;

        if (!is(finding, "severity", "violation") || (!*side && !is_refused) || done[at])
            continue;
        done[at] = true;
        AISP_TRY(aisp_store_quarantine_put(
            store,
            &(struct aisp_quarantine_entry){ .target = aisp_json_text(result, "target"),
                                             .variant = aisp_json_text(result, who[at]),
                                             .device = aisp_json_text(result, "device"),
                                             .run = run,
                                             .finding = aisp_json_text(finding, "check"),
                                             .reason = aisp_json_text(finding, "text") },
            err));
        (*n)++;
    }
out:
    return st;
}

enum aisp_status aisp_quarantine_put_in(struct aisp_store *store, const char *run,
                                        const json_t *results, size_t *n, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    const json_t *result;
    size_t i;

    *n = 0;
    json_array_foreach(results, i, result)
        if (is(result, "grade", "invalid"))
            AISP_TRY(put_in(store, run, result, n, err));
out:
    return st;
}

void aisp_quarantine_date(const json_t *entry, const char *key, char text[24])
{
    const time_t t = (time_t)json_integer_value(json_object_get(entry, key));
    struct tm utc;

    if (!gmtime_r(&t, &utc) || !strftime(text, 24, "%Y-%m-%d %H:%M", &utc))
        snprintf(text, 24, "?");
}
