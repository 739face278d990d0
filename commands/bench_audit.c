/* bench_audit.c - `bench audit`: which protections held on which target, and what proves each of them.
 * The newest complete run of a target is looked at with today's checks: a check that was added since speaks too.
 * Not here: the text (bench_audit_text.c), the proofs (proofs.c). */
#include "commands/bench_audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/issues.h"
#include "commands/pick.h"
#include "commands/proofs.h"
#include "commands/sanitizer.h"
#include "core/json.h"
#include "store/store.h"

static const char *held_name(enum aisp_held held)
{
    static const char *const names[AISP_N_HELD] = { "violated",   "development", "unproven",
                                                    "logic only", "held",        "not applicable" };

    return names[held];
}

/* One protection on one target, over all its variants. */
struct state {
    enum aisp_held held;
    bool is_known;
    char why[400];
};

static void set(struct state *s, enum aisp_held held, const char *variant, const char *why)
{
    s->held = held;
    s->is_known = true;
    snprintf(s->why, sizeof s->why, "%s%s%s", variant, *variant && *why ? ": " : "", why);
}

/* The worst over variants is what counts. */
static void worsen(struct state *all, const struct state *one)
{
    if (one->is_known && (!all->is_known || one->held < all->held))
        *all = *one;
}

static const struct aisp_finding *worst_of(const struct aisp_findings *found,
                                           const struct aisp_check *check)
{
    for (size_t i = 0; i < found->n; i++)
        if (found->item[i].check == check && found->item[i].severity > AISP_NOTE)
            return &found->item[i];
    return NULL;
}

/* What is known beside the evidence. */
struct context {
    const json_t *proofs, *manifest;
};

/* Was the check there when the run was recorded? Else what it needs may not have been gathered. */
static bool was_there(const json_t *manifest, const struct aisp_check *check)
{
    const json_t *name;
    size_t i;

    json_array_foreach(json_object_get(manifest, "checks"), i, name)
        if (!strcmp(json_string_value(name), check->name))
            return true;
    return false;
}

/* What one check says of one comparison. */
static void judge_check(const struct aisp_check *check, const struct aisp_evidence *ev,
                        const struct aisp_findings *found, const struct context *c, struct state *s)
{
    static const enum aisp_held by_proof[AISP_N_PROOFS] = { AISP_HELD_UNPROVEN,
                                                            AISP_HELD_LOGIC_ONLY, AISP_HELD };
    const struct aisp_finding *worst = worst_of(found, check);
    const char *why;

    if (worst)
        set(s, worst->severity == AISP_VIOLATION ? AISP_HELD_VIOLATED : AISP_HELD_DEVELOPMENT,
            ev->variant[AISP_B].name, worst->text);
    else if (!aisp_check_applies(check, ev, &why))
        set(s, AISP_HELD_NOT_APPLICABLE, "", why);
    else if (!was_there(c->manifest, check))
        set(s, AISP_HELD_NOT_APPLICABLE, "", "the run is older than the check: run it again");
    else
        set(s, by_proof[aisp_proofs_find(c->proofs, check->name, &why)], "", why);
}

/* Of several checks of one issue a finding counts first, then the best proven of those that apply. */
static void judge_issue(int issue, const struct aisp_evidence *ev,
                        const struct aisp_findings *found, const struct context *c,
                        struct state *best)
{
    AISP_FOR_EACH(aisp_checks, struct aisp_check, check) {
        struct state s;
        bool better;

        if (check->issue != issue)
            continue;
        judge_check(check, ev, found, c, &s);
        if (!best->is_known)
            better = true;
        else if (s.held <= AISP_HELD_DEVELOPMENT || best->held <= AISP_HELD_DEVELOPMENT)
            better = s.held < best->held;
        else
            better = best->held == AISP_HELD_NOT_APPLICABLE ||
                     (s.held != AISP_HELD_NOT_APPLICABLE && s.held > best->held);
        if (better)
            *best = s;
    }
    if (!best->is_known)
        set(best, AISP_HELD_UNPROVEN, "", "no check yet");
}

static void judge_comparison(const struct aisp_evidence *ev, const struct context *c,
                             struct state all[AISP_N_ISSUES])
{
    struct aisp_findings found = AISP_FINDINGS_INIT;

    aisp_examine(ev, &(struct aisp_grading){ 0 }, &found);
    for (int i = 0; i < AISP_N_ISSUES; i++) {
        struct state one = { 0 };

        judge_issue(i + 1, ev, &found, c, &one);
        worsen(&all[i], &one);
    }
    aisp_findings_release(&found);
}

/* Evidence of one result; what cannot be looked at is said. */
static void judge_result(struct aisp_store *store, const char *run, const json_t *result,
                         const struct context *c, struct state all[AISP_N_ISSUES], json_t *without)
{
    const char *key = aisp_json_text(result, "key");
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_err why = { AISP_OK, "" };
    json_t *json = NULL;
    enum aisp_status st = aisp_store_evidence_load(store, run, key, &json, &why);

    if (!st && !json_object_size(json)) /* refused before anything could be seen */
        st = aisp_fail(&why, AISP_E_REFUSED, "%s",
                       aisp_json_text(json_array_get(json_object_get(result, "findings"), 0), "text"));
    if (!st)
        st = aisp_evidence_from_json(json, &ev, &why);
    if (st)
        json_array_append_new(without, json_pack("{s:s, s:s}", "variant",
                                                 aisp_json_text(result, "variant"), "why", why.text));
    else
        judge_comparison(&ev, c, all);
    aisp_evidence_release(&ev);
    json_decref(json);
}

static json_t *states_json(const struct state all[AISP_N_ISSUES])
{
    json_t *states = json_array();

    for (int i = 0; i < AISP_N_ISSUES; i++)
        json_array_append_new(states, json_pack("{s:i, s:s, s:s}", "issue", i + 1, "state",
                                                held_name(all[i].held), "why", all[i].why));
    return states;
}

static enum aisp_status audit_target(struct aisp_store *store, const char *id, const json_t *proofs,
                                     json_t *rows, struct aisp_err *err)
{
    json_t *newest = NULL, *without = json_array(), *result;
    struct state all[AISP_N_ISSUES] = { { 0 } };
    struct context c = { .proofs = proofs };
    enum aisp_status st = store ? aisp_store_newest(store, id, &newest, err) : AISP_OK;
    const char *run = aisp_json_text(newest, "run");
    bool is_known = false;
    size_t i;

    if (st)
        goto out;
    c.manifest = json_object_get(newest, "manifest");
    json_array_foreach(json_object_get(newest, "results"), i, result)
        judge_result(store, run, result, &c, all, without);
    is_known = newest && all[0].is_known;
    json_array_append_new(
        rows, json_pack("{s:s, s:s?, s:s?, s:O, s:o}", "target", id, "run", newest ? run : NULL,
                        "started",
                        newest ? aisp_json_text(json_object_get(newest, "manifest"), "started") : NULL,
                        "without", without, "states", is_known ? states_json(all) : json_null()));
out:
    json_decref(newest);
    json_decref(without);
    return st;
}

static enum aisp_status audit_targets(const struct aisp_request *request, struct aisp_store *store,
                                      const json_t *proofs, json_t *rows, json_t *sanitized)
{
    const struct aisp_args *args = request->args;
    char stopped[256] = "";
    struct aisp_picks picks = AISP_PICKS_INIT;
    struct aisp_catalogue cat = { 0 };
    const char *const *pattern;
    enum aisp_status st;
    size_t n;

    pattern = aisp_args_list(args, "targets", &n);
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_pick_targets(&cat, pattern, n, &picks, request->err));
    for (size_t i = 0; i < picks.n; i++)
        AISP_TRY(audit_target(store, picks.target[i]->id, proofs, rows, request->err));
    for (size_t i = 0; i < picks.n && sanitized; i++)
        AISP_TRY(aisp_sanitizer_run(request, picks.target[i], stopped, sanitized));
out:
    aisp_picks_release(&picks);
    aisp_catalogue_release(&cat);
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    json_t *kept = NULL, *proofs = NULL, *rows = json_array();
    json_t *sanitized = aisp_args_flag(request->args, "sanitizer") ? json_array() : NULL;
    struct aisp_store *store = NULL;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_proofs_here(request->artifacts_dir, &kept, request->err));
    proofs = aisp_proofs_rows(kept);
    st = aisp_store_open(&store, request->artifacts_dir, false, request->err);
    if (st && st != AISP_E_NOT_FOUND)
        goto out;
    AISP_TRY(audit_targets(request, store, proofs, rows, sanitized));
    *value = json_pack("{s:O, s:O, s:o, s:b, s:O?}", "protections", proofs, "targets", rows,
                       "summary", aisp_proofs_summary(proofs, kept), "all",
                       aisp_args_flag(request->args, "all"), "sanitizer", sanitized);
out:
    json_decref(sanitized);
    json_decref(rows);
    json_decref(proofs);
    json_decref(kept);
    aisp_store_close(store);
    return st;
}

static const struct aisp_option options[] = {
    { "targets", 't', AISP_OPT_TEXT, .repeats = true, .meta = "TARGET",
      .help = "Only these (default: all targets)" },
    { "all", 'a', AISP_OPT_FLAG, .help = "Also each of the 95 protections, and what proves it" },
    { "sanitizer", 0, AISP_OPT_FLAG,
      .help = "Also run compute-sanitizer over the CUDA forms, at the quick size", .runs_code = true },
    { 0 },
};

AISP_COMMAND(bench_audit) = {
    .path = "bench audit",
    .sentence = "Show which protections held on which target, and what proves each of them",
    .example = "aisp bench audit -t ch07\naisp bench audit --all\naisp bench audit -t ch07 --sanitizer",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = aisp_audit_render,
};
