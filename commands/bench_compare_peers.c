/* bench_compare_peers.c - `bench compare-peers`: every rung of a target against each of its peers, in the same pairs, and a table
 * of the best. A ratio of two ratios carries the noise of two comparisons and of what differs between runs; this carries its own.
 * Not here: the table of what was recorded (analyze/bench_peers.c). */
#include <stdio.h>
#include <string.h>

#include "commands/analyze/peers.h"
#include "commands/measure.h"

static bool is_peer(const struct aisp_variant_ref *v)
{
    return !strncmp(v->name, "peer_", 5);
}

static void leave_out_peers(struct aisp_entry *entry)
{
    size_t n = 0;

    for (size_t i = 0; i < entry->n_variants; i++)
        if (!is_peer(entry->variant[i]))
            entry->variant[n++] = entry->variant[i];
    entry->n_variants = n;
}

/* The variants that were asked for, else our rungs, else, where there is none, the baseline. */
static enum aisp_status init_entry(struct aisp_measure *m, struct aisp_entry_spec *spec, struct aisp_entry *entry,
                                   struct aisp_err *why)
{
    const char *const baseline = "baseline";
    enum aisp_status st;

    spec->only = aisp_args_list(m->request->args, "variant", &spec->n_only);
    st = aisp_entry_init(entry, spec, &m->options, why);
    if (st || spec->n_only)
        return st;
    leave_out_peers(entry);
    if (entry->n_variants)
        return AISP_OK;
    aisp_entry_release(entry);
    spec->only = &baseline;
    spec->n_only = 1;
    return aisp_entry_init(entry, spec, &m->options, why);
}

static enum aisp_status add_entry(struct aisp_measure *m, const struct aisp_target *target, const struct aisp_variant_ref *peer)
{
    struct aisp_entry_spec spec = { .target = target, .reference = peer };
    struct aisp_err why = { AISP_OK, "" };
    struct aisp_entry entry;
    const enum aisp_status st = init_entry(m, &spec, &entry, &why);

    if (st == AISP_E_NOT_FOUND || aisp_measure_skips(m, st, &why))
        return AISP_OK;
    if (st == AISP_E_USAGE)
        return aisp_fail(m->request->err, st, "%s", why.text);
    if (st)
        aisp_entry_refuse(&entry, target, st, &why);
    *(struct aisp_entry *)aisp_grow(&m->entries.entry, &m->entries.n, &m->entries.cap, sizeof entry) = entry;
    return AISP_OK;
}

static enum aisp_status add_entries(struct aisp_measure *m, const struct aisp_picks *picks)
{
    const char *device = m->options.device ? m->options.device : "cpu";
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < picks->n; i++)
        for (size_t k = 0; k < picks->target[i]->n_variants; k++) {
            const struct aisp_variant_ref *v = &picks->target[i]->variant[k];

            if (is_peer(v) && !strcmp(v->device, device))
                AISP_TRY(add_entry(m, picks->target[i], v));
        }
    if (!m->entries.n)
        st = aisp_fail(m->request->err, AISP_E_UNAVAILABLE,
                       "none of these targets has such a variant and a peer on %s here; \"aisp bench show TARGET\" says which "
                       "library is missing",
                       device);
out:
    return st;
}

/* The table of this run alone. */
static enum aisp_status add_table(const struct aisp_request *request, json_t *value)
{
    const char *run = json_string_value(json_object_get(value, "run"));
    const struct aisp_rows_want want = { .filter = { .run = run, .complete = true } };
    struct aisp_rows rows = AISP_ROWS_INIT;
    struct aisp_store *store = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_rows_collect(&rows, store, &want, request->err));
    json_object_set_new(value, "peers", aisp_peers_json(&rows));
out:
    aisp_rows_release(&rows);
    aisp_store_close(store);
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_measure m = { .request = request, .command = "bench compare-peers" };
    struct aisp_catalogue cat = { 0 };
    struct aisp_picks picks = AISP_PICKS_INIT;
    const char *const *pattern;
    enum aisp_status st;
    size_t n;

    pattern = aisp_args_list(request->args, "targets", &n);
    AISP_TRY(aisp_measure_options(request, &m.options));
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_pick_targets(&cat, pattern, n, &picks, request->err));
    AISP_TRY(add_entries(&m, &picks));
    m.gate = aisp_args_flag(request->args, "gate");
    m.catalogue = &cat;
    m.arguments = json_pack("{s:s, s:b}", "size", m.options.size_name, "placement_audit", m.options.placement_audit);
    AISP_TRY(aisp_measure_run(&m, value, exit_code));
    st = add_table(request, *value);
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
    aisp_measure_render(value, style, out);
    aisp_peers_render(json_object_get(value, "peers"), style, out);
}

static const struct aisp_option options[] = {
    { "targets", 't', AISP_OPT_TEXT, .repeats = true, .meta = "TARGET",
      .help = "Of these targets (default: all that have a peer)" },
    { "variant", 0, AISP_OPT_TEXT, .repeats = true, .meta = "NAME", .help = "Only this one of ours" },
    AISP_OPTIONS_SIZE,
    AISP_OPTIONS_MEASURE,
    { 0 },
};

AISP_COMMAND(bench_compare_peers) = {
    .path = "bench compare-peers",
    .sentence = "Measure ours against each library directly, and show how the best stands",
    .example = "aisp bench compare-peers -t ch01:small_gemm\naisp bench compare-peers --variant register_tiles -t ch01",
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_READS_STORE | AISP_CMD_LONG,
    .run = run,
    .render = render,
};
