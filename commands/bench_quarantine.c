/* bench_quarantine.c - `bench quarantine-report`: who is in, since when and why. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/quarantine.h"
#include "commands/report.h"

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct aisp_store *store = NULL;
    json_t *list = NULL;
    enum aisp_status st = aisp_store_open(&store, request->artifacts_dir, false, request->err);

    (void)exit_code;
    if (st == AISP_E_NOT_FOUND) /* nothing recorded: nobody is in */
        list = json_array();
    else if (st)
        goto out;
    else
        AISP_TRY(aisp_store_quarantine_list(store, &list, request->err));
    *value = json_pack("{s:s, s:o}", "format", aisp_args_text(request->args, "format"),
                       "quarantined", list);
    st = AISP_OK;
out:
    aisp_store_close(store);
    return st;
}

static void render_text(const json_t *list, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *e;
    char since[24];
    size_t i;

    json_array_foreach(list, i, e) {
        aisp_quarantine_date(e, "since", since);
        aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_report_text(e, "target"));
        aisp_buf_printf(
            out, " %s (%s)\n   since %s, found wrong %lld time%s, last in run %s\n   %s: %s\n",
            aisp_report_text(e, "variant"), aisp_report_text(e, "device"), since,
            (long long)json_integer_value(json_object_get(e, "times")),
            json_integer_value(json_object_get(e, "times")) == 1 ? "" : "s",
            aisp_report_text(e, "run"), aisp_report_text(e, "check"),
            aisp_report_text(e, "reason"));
    }
    aisp_buf_printf(out, "%zu in quarantine\n", json_array_size(list));
}

static void render_markdown(const json_t *list, struct aisp_buf *out)
{
    static const char *const columns[] = {
        "target", "variant", "device", "run", "check", "reason"
    };
    const json_t *e;
    char since[24];
    size_t i;

    aisp_buf_puts(out, "# Quarantine\n\n");
    if (!json_array_size(list)) {
        aisp_buf_puts(out, "Nobody.\n");
        return;
    }
    aisp_buf_puts(out, "| target | variant | device | last run | check | reason | since | times |\n"
                       "|---|---|---|---|---|---|---|--:|\n");
    json_array_foreach(list, i, e) {
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            aisp_buf_puts(out, "| ");
            aisp_report_put_markdown(out, aisp_report_text(e, columns[k]));
            aisp_buf_puts(out, " ");
        }
        aisp_quarantine_date(e, "since", since);
        aisp_buf_printf(out, "| %s | %lld |\n", since,
                        (long long)json_integer_value(json_object_get(e, "times")));
    }
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *list = json_object_get(value, "quarantined");
    const char *format = aisp_report_text(value, "format");
    char *text;

    if (!strcmp(format, "markdown")) {
        render_markdown(list, out);
    } else if (!strcmp(format, "json")) {
        text = json_dumps(list, JSON_INDENT(2));
        aisp_buf_printf(out, "%s\n", text);
        free(text);
    } else {
        render_text(list, style, out);
    }
}

static const struct aisp_option options[] = {
    { "format", 'f', AISP_OPT_CHOICE, .meta = "text|markdown|json", .help = "How to write it",
      .preset = "text" },
    { 0 },
};

AISP_COMMAND(bench_quarantine_report) = {
    .path = "bench quarantine-report",
    .sentence = "List the variants in quarantine: since when, and why",
    .example = "aisp bench quarantine-report --format markdown",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
