/* import.c - `store import`: runs that were made elsewhere. */
#include "commands/store/store_command.h"
#include "store/exchange.h"

static bool watch(void *context, const struct aisp_intake_counts *counts, bool is_trying)
{
    const struct aisp_request *request = context;

    aisp_store_progress(request, "%s: %lld runs, %lld results", is_trying ? "checking" : "importing",
                        (long long)(counts->runs + counts->known_runs), (long long)(counts->results + counts->known_results));
    return !aisp_store_is_stopped(request);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_import_watch watching = { watch, (void *)request };
    const char *path = request->args->operand[0];
    struct aisp_intake_counts counts = { 0 };
    struct aisp_store *store = NULL;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, true, request->err));
    AISP_TRY(aisp_store_import_runs(store, path, &watching, &counts, request->err));
    *value = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "from", path, "runs", (json_int_t)counts.runs, "results",
                       (json_int_t)counts.results, "evidence", (json_int_t)counts.evidence, "known_runs",
                       (json_int_t)counts.known_runs, "known_results", (json_int_t)counts.known_results);
out:
    aisp_store_close(store);
    return st;
}

static long long count(const json_t *value, const char *name)
{
    return (long long)json_integer_value(json_object_get(value, name));
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const long long results = count(value, "results"), evidence = count(value, "evidence");

    (void)style;
    if (!results && !count(value, "runs") && !evidence && count(value, "known_runs")) {
        aisp_buf_printf(out, "nothing new; here already: runs: %lld, results: %lld\n", count(value, "known_runs"),
                        count(value, "known_results"));
        return;
    }
    aisp_buf_printf(out, "imported: runs: %lld, results: %lld, evidence files: %lld\n", count(value, "runs"), results,
                    evidence);
    if (count(value, "known_runs"))
        aisp_buf_printf(out, "here already: runs: %lld, results: %lld\n", count(value, "known_runs"),
                        count(value, "known_results"));
    if (results > evidence)
        aisp_buf_printf(out, "came without evidence: %lld; they are shown and compared, but cannot be judged again\n",
                        results - evidence);
}

static const struct aisp_operand operands[] = {
    { "FROM", "An export, a run's folder, or another artifacts folder", .kind = AISP_OPERAND_PATH },
    { 0 },
};

AISP_COMMAND(store_import) = {
    .path = "store import",
    .sentence = "Add runs made elsewhere; twice changes nothing, a bad line leaves nothing",
    .example = "aisp store import all.jsonl\naisp store import /mnt/other/artifacts\naisp store import "
               "/mnt/other/artifacts/runs/20261128T070501Z-1f3a9c",
    .operand = operands,
    .flags = AISP_CMD_READS_STORE | AISP_CMD_WRITES | AISP_CMD_LONG,
    .run = run,
    .render = render,
};
