/* export.c - `store export`: runs as one file that another store can import. */
#include "commands/store/store_command.h"
#include "store/exchange.h"

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_store_export_ask what = { .without_evidence = aisp_args_flag(request->args, "no-evidence") };
    struct aisp_export_counts counts = { 0 };
    struct aisp_store *store = NULL;
    enum aisp_status st;

    (void)exit_code;
    what.run = aisp_args_list(request->args, "run", &what.n_runs);
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_store_export_runs(store, request->args->operand[0], &what, &counts, request->err));
    *value = json_pack("{s:s, s:I, s:I, s:I, s:I}", "file", request->args->operand[0], "runs", (json_int_t)counts.runs,
                       "results", (json_int_t)counts.results, "evidence", (json_int_t)counts.evidence, "damaged_evidence",
                       (json_int_t)counts.unreadable);
out:
    aisp_store_close(store);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_int_t results = json_integer_value(json_object_get(value, "results"));
    const json_int_t evidence = json_integer_value(json_object_get(value, "evidence"));
    const json_int_t damaged = json_integer_value(json_object_get(value, "damaged_evidence"));

    (void)style;
    aisp_buf_printf(out, "%s\n   runs: %lld, results: %lld, with their evidence: %lld\n",
                    json_string_value(json_object_get(value, "file")),
                    (long long)json_integer_value(json_object_get(value, "runs")), (long long)results, (long long)evidence);
    if (damaged)
        aisp_buf_printf(out, "   damaged evidence files, left out: %lld; aisp store check names them\n",
                        (long long)damaged);
}

static const struct aisp_operand operands[] = {
    { "FILE", "Where to write it, as JSON Lines", .kind = AISP_OPERAND_PATH },
    { 0 },
};

static const struct aisp_option options[] = {
    { "run", 'r', AISP_OPT_TEXT, .repeats = true, .meta = "RUN",
      .help = "Only this run, by its id, the beginning of it, or latest" },
    { "no-evidence", 0, AISP_OPT_FLAG,
      .help = "Leave the evidence behind: a much smaller file, whose results cannot be judged again elsewhere" },
    { 0 },
};

AISP_COMMAND(store_export) = {
    .path = "store export",
    .sentence = "Write runs with their evidence into one file, for another store",
    .example = "aisp store export all.jsonl\naisp store export last.jsonl --run latest",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE | AISP_CMD_WRITES,
    .run = run,
    .render = render,
};
