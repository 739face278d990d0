/* bench_verify.c - `bench verify`: outputs only, and what follows from them.
 *   detect      print what was found (exit 0 whatever it is)
 *   quarantine  and put the wrong ones into quarantine, where they stay until they pass
 *   gate        and say it by the exit code: 3 something is wrong, 4 something could not be verified or is still in quarantine
 * Without --verify-phase nothing is put anywhere and the exit code is 3 for what is wrong. */
#include <stdio.h>
#include <string.h>

#include "commands/measure.h"
#include "commands/quarantine.h"
#include "core/json.h"

enum phase { PLAIN, DETECT, QUARANTINE, GATE };

static enum aisp_status add_entries(struct aisp_measure *m, const struct aisp_picks *picks)
{
    for (size_t i = 0; i < picks->n; i++) {
        struct aisp_err why = { AISP_OK, "" };
        struct aisp_entry entry;
        const enum aisp_status st = aisp_entry_init(
            &entry, &(struct aisp_entry_spec){ .target = picks->target[i] }, &m->options, &why);

        if (st && (picks->n == 1 || st == AISP_E_USAGE))
            return aisp_fail(m->request->err, st, "%s", why.text);
        if (aisp_measure_skips(m, st, &why))
            continue;
        if (st)
            aisp_entry_refuse(&entry, picks->target[i], st, &why);
        *(struct aisp_entry *)aisp_grow(&m->entries.entry, &m->entries.n, &m->entries.cap,
                                        sizeof entry) = entry;
    }
    if (!m->entries.n)
        return aisp_fail(m->request->err, AISP_E_UNAVAILABLE, "none of these targets has a form for %s here", m->options.device);
    return AISP_OK;
}

static enum phase phase_of(const struct aisp_args *args)
{
    const char *name = aisp_args_text(args, "verify-phase");

    if (!name)
        return PLAIN;
    return !strcmp(name, "detect") ? DETECT : !strcmp(name, "quarantine") ? QUARANTINE : GATE;
}

static json_int_t compared(const json_t *result, const char *side)
{
    const json_t *v = json_object_get(json_object_get(result, "verified"), side);

    return json_integer_value(json_object_get(v, "full")) +
           json_integer_value(json_object_get(v, "sampled"));
}

/* Is everything that was asked for known to be right, and nobody else's word against it? */
static bool is_all_verified(const json_t *results, const json_t *quarantined)
{
    const json_t *result;
    size_t i;

    json_array_foreach(results, i, result)
        if (!compared(result, "a") || !compared(result, "b") ||
            aisp_quarantine_find(quarantined, aisp_json_text(result, "target"), aisp_json_text(result, "variant"),
                                 aisp_json_text(result, "device")))
            return false;
    return true;
}

static enum aisp_status put_in(const struct aisp_request *request, json_t *value)
{
    struct aisp_store *store = NULL;
    enum aisp_status st;
    size_t n;

    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, true, request->err));
    AISP_TRY(aisp_quarantine_put_in(store, aisp_json_text(value, "run"), json_object_get(value, "results"),
                                    &n, request->err));
    json_object_set_new(value, "quarantined", json_integer((json_int_t)n));
out:
    aisp_store_close(store);
    return st;
}

static enum aisp_status conclude(const struct aisp_request *request, enum phase phase,
                                 json_t *value, int *exit_code)
{
    json_t *quarantined;
    enum aisp_status st = AISP_OK;

    if (phase == DETECT || phase == QUARANTINE) {
        if (*exit_code == AISP_EXIT_INVALID)
            *exit_code = AISP_EXIT_OK;
    }
    if (phase == QUARANTINE || phase == GATE)
        st = put_in(request, value);
    if (st || phase != GATE || (*exit_code != AISP_EXIT_OK && *exit_code != AISP_EXIT_NOTHING))
        return st;
    quarantined = aisp_quarantine_here(request->artifacts_dir);
    if (!is_all_verified(json_object_get(value, "results"), quarantined))
        *exit_code = AISP_EXIT_GATE;
    json_decref(quarantined);
    return AISP_OK;
}

static enum aisp_status verify(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_measure m = { .request = request, .command = "bench verify" };
    const enum phase phase = phase_of(request->args);
    struct aisp_catalogue cat = { 0 };
    struct aisp_picks picks = AISP_PICKS_INIT;
    const char *const *pattern;
    size_t n;
    enum aisp_status st;

    pattern = aisp_args_list(request->args, "targets", &n);
    m.options = (struct aisp_session_options){
        .size = AISP_SIZE_QUICK,
        .size_name = "quick",
        .n_threads = 1,
        .verify_only = true
    };
    AISP_TRY(aisp_measure_device(request, &m.options.device));
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_pick_targets(&cat, pattern, n, &picks, request->err));
    AISP_TRY(add_entries(&m, &picks));
    m.catalogue = &cat;
    m.arguments = json_object();
    AISP_TRY(aisp_measure_run(&m, value, exit_code));
    st = conclude(request, phase, *value, exit_code);
    if (st) {
        json_decref(*value);
        *value = NULL;
    }
out:
    aisp_entries_release(&m.entries);
    aisp_picks_release(&picks);
    aisp_catalogue_release(&cat);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *n = json_object_get(value, "quarantined");

    aisp_measure_render(value, style, out);
    if (json_integer_value(n))
        aisp_buf_printf(out, "%lld in quarantine until they pass: aisp bench quarantine-report\n",
                        (long long)json_integer_value(n));
}

static const struct aisp_option verify_options[] = {
    { "targets", 't', AISP_OPT_TEXT, .repeats = true, .meta = "TARGET",
      .help = "What to verify (default: all targets)" },
    AISP_OPTION_DEVICE,
    { "verify-phase", 0, AISP_OPT_CHOICE, .meta = "detect|quarantine|gate",
      .help = "Print only; also put what is wrong into quarantine; also exit with 3 or 4 for it" },
    { 0 },
};

AISP_COMMAND(bench_verify) = {
    .path = "bench verify",
    .sentence = "Check outputs at the quick, default and secret sizes, timing nothing",
    .example = "aisp bench verify -t ch07\naisp bench verify --verify-phase gate",
    .option = verify_options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_LONG,
    .run = verify,
    .render = render,
};
