/* bench_report.c - `bench report RUN`: a recorded run as a file to read, to show and to keep.
 * Not here: what is in it (report*.c). Nothing is measured or judged again. */
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/report.h"
#include "commands/report_write.h"

static const struct format {
    const char *name, *file;
} formats[] = { { "markdown", "report.md" }, { "html", "report.html" }, { "json", "report.json" }, { "pdf", "report.pdf" } };

static const struct format *format_of(const char *name)
{
    size_t i = 0;

    while (strcmp(formats[i].name, name))
        i++;
    return &formats[i];
}

static enum aisp_status make(const struct aisp_report *report, const struct format *format, struct aisp_buf *out,
                             struct aisp_err *err)
{
    json_t *json;
    char *text;

    if (!strcmp(format->name, "markdown")) {
        aisp_report_markdown(report, out);
        return AISP_OK;
    }
    if (!strcmp(format->name, "html")) {
        aisp_report_html(report, out);
        return AISP_OK;
    }
    if (!strcmp(format->name, "pdf"))
        return aisp_report_pdf(report, true, out, err);
    json = aisp_report_json(report);
    text = json_dumps(json, JSON_INDENT(1));
    json_decref(json);
    if (!text)
        AISP_BUG("a report that is no JSON");
    aisp_buf_puts(out, text);
    aisp_buf_puts(out, "\n");
    free(text);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    const struct format *format = format_of(aisp_args_text(args, "format"));
    struct aisp_report report = AISP_REPORT_INIT;
    struct aisp_buf text = AISP_BUF_INIT;
    struct aisp_store *store = NULL;
    json_t *written = json_array();
    char *folder = NULL, *path = NULL;
    const char *id;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_report_load(&report, store, args->n_operands ? args->operand[0] : "latest", request->err));
    id = aisp_report_text(report.record, "run");
    AISP_TRY(aisp_store_run_folder_make(store, id, &folder, request->err));
    path = aisp_format("%s/%s", folder, format->file);
    AISP_TRY(make(&report, format, &text, request->err));
    AISP_TRY(aisp_report_write(request, path, &text, written));
    *value = json_pack("{s:s, s:s, s:I, s:I, s:O}", "run", id, "format", format->name, "n_results", (json_int_t)report.n,
                       "bytes", (json_int_t)text.len, "written", written);
    if (!*value)
        AISP_BUG("an answer that is no JSON");
out:
    json_decref(written);
    free(path);
    free(folder);
    aisp_buf_release(&text);
    aisp_report_release(&report);
    aisp_store_close(store);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *path;
    size_t i;

    (void)style;
    json_array_foreach(json_object_get(value, "written"), i, path)
        aisp_buf_printf(out, "%s\n", json_string_value(path));
}

static const struct aisp_operand operands[] = {
    { "RUN", "A run's id, the beginning of one, or latest (default)", .optional = true },
    { 0 },
};

static const struct aisp_option options[] = {
    { "format", 'f', AISP_OPT_CHOICE, .meta = "markdown|html|pdf|json", .help = "What to write", .preset = "markdown" },
    { "output", 'o', AISP_OPT_PATH, .meta = "FILE", .help = "Write it here too, beside the copy in the run's folder" },
    { 0 },
};

AISP_COMMAND(bench_report) = {
    .path = "bench report",
    .sentence = "Write a recorded run as a report: tables, distributions, findings, environment",
    .example = "aisp bench report\naisp bench report latest --format html --output report.html\naisp bench report latest --format pdf",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE | AISP_CMD_WRITES,
    .run = run,
    .render = render,
};
