/* list_runs.c - `bench list-runs`: what has been recorded, newest first.
 * Not here: what one run found (show_run.c). */
#include <limits.h>
#include <string.h>
#include <time.h>

#include "commands/command.h"
#include "store/store.h"

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const int limit = (int)aisp_args_integer(request->args, "limit");
    struct aisp_store *store = NULL;
    json_t *runs = NULL;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_store_runs(store, limit, &runs, request->err));
    *value = json_pack("{s:i, s:b, s:O}", "limit", limit, "is_cut", json_array_size(runs) == (size_t)limit, "runs", runs);
out:
    json_decref(runs);
    aisp_store_close(store);
    return st;
}

static void print_date(const json_t *row, char text[24])
{
    const time_t at = (time_t)json_integer_value(json_object_get(row, "started"));
    struct tm tm;

    if (!gmtime_r(&at, &tm) || !strftime(text, 24, "%Y-%m-%d %H:%M", &tm))
        strcpy(text, "-");
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *runs = json_object_get(value, "runs"), *row;
    size_t i;

    if (!json_array_size(runs)) {
        aisp_buf_puts(out, "no runs are recorded here; \"aisp bench run -t ch01 --quick\" makes the first\n");
        return;
    }
    aisp_buf_printf(out, "%-24s %-17s %-18s %7s  %s\n", "run", "started (UTC)", "host", "results", "state");
    json_array_foreach(runs, i, row) {
        const bool is_complete = json_is_true(json_object_get(row, "complete"));
        char date[24];

        print_date(row, date);
        aisp_paint(out, style, AISP_PAINT_BOLD, 24, json_string_value(json_object_get(row, "run")));
        aisp_buf_printf(out, " %-17s %-18.18s %7lld  %s\n", date, json_string_value(json_object_get(row, "host")),
                        (long long)json_integer_value(json_object_get(row, "n_results")),
                        is_complete ? "complete" : "incomplete");
    }
    if (json_is_true(json_object_get(value, "is_cut")))
        aisp_buf_printf(out, "the newest %lld; --limit shows more\n",
                        (long long)json_integer_value(json_object_get(value, "limit")));
}

static const struct aisp_option options[] = {
    { "limit", 'n', AISP_OPT_INTEGER, .meta = "N", .help = "At most so many, the newest", .preset = "100", .low = 1,
      .high = INT_MAX },
    { 0 },
};

AISP_COMMAND(bench_list_runs) = {
    .path = "bench list-runs",
    .sentence = "List the recorded runs, newest first",
    .example = "aisp bench list-runs --limit 10",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
