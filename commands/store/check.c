/* check.c - `store check`: does the store still say what it said? */
#include "core/json.h"
#include "store/check.h"

#include "commands/store/store_command.h"

static bool watch(void *context, int64_t n_done, int64_t n_total)
{
    const struct aisp_request *request = context;

    aisp_store_progress(request, "checking: %lld of %lld runs", (long long)n_done, (long long)n_total);
    return !aisp_store_is_stopped(request);
}

static bool all_repaired(const json_t *problems)
{
    const json_t *p;
    size_t i;

    json_array_foreach(problems, i, p)
        if (!json_is_true(json_object_get(p, "repaired")))
            return false;
    return true;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_store_check_ask check = { .repair = aisp_args_flag(request->args, "repair"),
                                          .watch = watch,
                                          .context = (void *)request };
    struct aisp_store *store = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, check.repair, request->err));
    AISP_TRY(aisp_store_verify(store, &check, value, request->err));
    json_object_set_new(*value, "repair", json_boolean(check.repair));
    *exit_code = all_repaired(json_object_get(*value, "problems")) ? AISP_EXIT_OK : AISP_EXIT_STORE;
out:
    aisp_store_close(store);
    return st;
}

static void render_problem(const json_t *p, const struct aisp_style *style, struct aisp_buf *out)
{
    const bool repaired = json_is_true(json_object_get(p, "repaired"));

    aisp_paint(out, style, repaired ? AISP_PAINT_GREEN : AISP_PAINT_RED, 0, repaired ? "repaired" : aisp_json_text(p, "kind"));
    if (*aisp_json_text(p, "run"))
        aisp_buf_printf(out, " %s", aisp_json_text(p, "run"));
    aisp_buf_printf(out, "\n   %s\n", aisp_json_text(p, "what"));
    if (!repaired)
        aisp_buf_printf(out, "   %s\n", aisp_json_text(p, "fix"));
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *problems = json_object_get(value, "problems"), *p;
    const long long pruned = (long long)json_integer_value(json_object_get(value, "pruned"));
    const long long elsewhere = (long long)json_integer_value(json_object_get(value, "elsewhere"));
    size_t i;

    json_array_foreach(problems, i, p)
        render_problem(p, style, out);
    aisp_buf_printf(out, "runs: %lld, results: %lld, evidence files that are what their hashes say: %lld",
                    (long long)json_integer_value(json_object_get(value, "runs")),
                    (long long)json_integer_value(json_object_get(value, "results")),
                    (long long)json_integer_value(json_object_get(value, "evidence")));
    if (pruned)
        aisp_buf_printf(out, "\nwithout evidence: %lld, pruned or imported so", pruned);
    if (elsewhere)
        aisp_buf_printf(out, "\nof the shared store, with their folders elsewhere: %lld", elsewhere);
    aisp_buf_printf(out, "\n%zu problem%s%s\n", json_array_size(problems), json_array_size(problems) == 1 ? "" : "s",
                    json_array_size(problems) && all_repaired(problems) ? ", all repaired" : "");
}

static const struct aisp_option options[] = {
    { "repair", 0, AISP_OPT_FLAG,
      .help = "Read in run folders that the index lost, write manifest.json and results.json that are missing, make derived "
              "tables anew, remove what killed imports left; no run is removed",
      .writes = true },
    { 0 },
};

AISP_COMMAND(store_check) = {
    .path = "store check",
    .sentence = "Check every run's folder against the index, and evidence against its hash",
    .example = "aisp store check\naisp store check --repair",
    .option = options,
    .flags = AISP_CMD_READS_STORE | AISP_CMD_LONG,
    .run = run,
    .render = render,
};
