/* bench_export.c - `bench export`: results as a table for other programs.
 * Not here: the formats (export_rows.c, export_openmetrics.c), runs for another store (`store export`). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands/quarantine.h"
#include "commands/report.h"
#include "commands/reports/export.h"
#include "commands/store/store_command.h"

enum { PENDING_MAX = 1 << 16, TEXT_MAX = 16 << 20 };

static const struct format {
    const char *name;
    enum aisp_status (*make)(struct aisp_export *export, struct aisp_err *err);
} formats[] = {
    { "csv", aisp_export_csv },
    { "json", aisp_export_json },
    { "markdown", aisp_export_markdown },
    { "openmetrics", aisp_export_openmetrics },
};

struct aisp_filter aisp_export_filter(const struct aisp_export *export)
{
    return (struct aisp_filter){ .run = export->run, .complete = !export->run };
}

bool aisp_export_is_quarantined(const struct aisp_export *export, const struct aisp_result_row *row)
{
    return json_array_size(export->quarantine) > 0 &&
           (aisp_quarantine_find(export->quarantine, row->target, row->variant, row->device) ||
            aisp_quarantine_find(export->quarantine, row->target, row->reference, row->device));
}

/* To where it goes; lines of a front-end are given without the last end of line. */
static void hand_on(struct aisp_export *export)
{
    const struct aisp_console *console = export->request->console;
    struct aisp_buf *p = &export->pending;

    if (!p->len)
        return;
    if (export->file) {
        export->is_failed |= fwrite(p->s, 1, p->len, export->file) != p->len;
    } else if (console && console->line) {
        p->s[p->len - 1] = '\0';
        console->line(console->context, p->s);
    } else {
        export->is_too_long |= export->text.len + p->len > TEXT_MAX;
        if (!export->is_too_long)
            aisp_buf_add(&export->text, p->s, p->len);
    }
    p->len = 0;
}

bool aisp_export_flow(struct aisp_export *export)
{
    if (export->pending.len >= PENDING_MAX) {
        hand_on(export);
        aisp_store_progress(export->request, "%lld results", (long long)export->n_results);
    }
    return !export->is_failed && !export->is_too_long && !aisp_store_is_stopped(export->request);
}

/* ---- pages ---- */

struct page { struct aisp_export *export; aisp_result_visitor *put; };

static bool put_row(const struct aisp_result_row *row, void *context)
{
    const struct page *page = context;
    struct aisp_export *export = page->export;

    export->has_more = export->limit && export->n_results == export->limit;
    if (export->has_more)
        return false;
    export->last_at = row->started_at;
    export->last_id = row->id;
    return page->put(row, export);
}

enum aisp_status aisp_export_each(struct aisp_export *export, aisp_result_visitor *put, struct aisp_err *err)
{
    struct aisp_filter filter = aisp_export_filter(export);
    struct page page = { export, put };

    filter.after_at = export->after_at;
    filter.after_id = export->after_id;
    filter.limit = export->limit ? export->limit + 1 : 0;
    return aisp_store_each_result(export->store, &filter, put_row, &page, err);
}

/* "1764338419.1234", as `next` had it: when the row's run was started, and its number. */
static enum aisp_status read_page(struct aisp_export *export, const struct aisp_args *args, struct aisp_err *err)
{
    const char *after = aisp_args_text(args, "after");
    char *end, *dot = NULL;

    export->limit = aisp_args_integer(args, "limit");
    if ((export->limit || after) && !strcmp(aisp_args_text(args, "format"), "openmetrics"))
        return aisp_fail(err, AISP_E_USAGE, "openmetrics is one whole: it takes neither --limit nor --after");
    if (!after)
        return AISP_OK;
    export->after_at = strtoll(after, &dot, 10);
    export->after_id = *dot == '.' ? strtoll(dot + 1, &end, 10) : 0;
    if (dot == after || export->after_id < 1 || *end)
        return aisp_fail(err, AISP_E_USAGE, "--after \"%s\": not what an export gave as \"next\"", after);
    return AISP_OK;
}

/* Written beside and renamed: what was there stays whole until the new one is. */
static enum aisp_status write_all(struct aisp_export *export, const struct format *format, struct aisp_err *err)
{
    char *beside = export->path ? aisp_format("%s.%ld.new", export->path, (long)getpid()) : NULL;
    const int fd = beside ? open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644) : -1;
    enum aisp_status st = AISP_OK;

    export->file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (beside && !export->file) {
        st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", export->path);
        goto out;
    }
    AISP_TRY(format->make(export, err));
    if (aisp_store_is_stopped(export->request)) {
        st = aisp_fail(err, AISP_E_INTERRUPTED, "stopped after %lld results", (long long)export->n_results);
        goto out;
    }
    hand_on(export);
    if (export->is_too_long) {
        st = aisp_fail(err, AISP_E_UNAVAILABLE, "over %d MiB in one value: take it in parts (--limit, then --after), or into a file "
                                                "(--output)", TEXT_MAX >> 20);
        goto out;
    }
    if (export->file) {
        export->is_failed |= fclose(export->file) != 0;
        export->file = NULL;
        if (export->is_failed || rename(beside, export->path))
            st = aisp_fail_errno(err, AISP_E_IO, "%s: cannot be written", export->path);
    }
out:
    if (export->file)
        fclose(export->file);
    export->file = NULL;
    if (st && fd >= 0)
        unlink(beside);
    free(beside);
    return st;
}

static enum aisp_status find_run(struct aisp_store *store, const char *name, json_t **record, struct aisp_err *err)
{
    return aisp_store_run_load(store, name ? name : "latest", record, err);
}

static json_t *value_of(const struct aisp_export *export, const struct format *format)
{
    json_t *value =
        json_pack("{s:s?, s:s, s:I, s:I, s:s?}", "run", export->run, "format", format->name, "n_results",
                  (json_int_t) export->n_results, "n_quarantined", (json_int_t) export->n_quarantined, "output", export->path);
    json_t *text = export->text.len ? json_stringn(export->text.s, export->text.len) : json_null();

    if (!value || !text)
        AISP_BUG("an export that is no JSON");
    json_object_set_new(value, "next", export->has_more ? json_sprintf("%lld.%lld", (long long)export->last_at,
                                                                        (long long)export->last_id) : json_null());
    json_object_set_new(value, "text", text);
    return value;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    const char *name = args->n_operands ? args->operand[0] : NULL, *wanted = aisp_args_text(args, "format");
    const bool is_all = aisp_args_flag(args, "all");
    struct aisp_export export = { .request = request,
                                  .path = aisp_args_text(args, "output"),
                                  .no_timestamps = aisp_args_flag(args, "no-timestamps") };
    const struct format *format = formats;
    json_t *record = NULL, *path = export.path ? json_string(export.path) : json_null();
    enum aisp_status st;

    (void)exit_code;
    while (strcmp(format->name, wanted))
        format++;
    if (is_all && name) {
        st = aisp_fail(request->err, AISP_E_USAGE, "both a run (\"%s\") and --all: name one of them", name);
        goto out;
    }
    if (!path) {
        st = aisp_fail(request->err, AISP_E_USAGE, "the path of --output is no UTF-8");
        goto out;
    }
    AISP_TRY(read_page(&export, args, request->err));
    AISP_TRY(aisp_store_open(&export.store, request->artifacts_dir, false, request->err));
    if (!is_all) {
        AISP_TRY(find_run(export.store, name, &record, request->err));
        export.run = aisp_report_text(record, "run");
    }
    AISP_TRY(aisp_store_quarantine_list(export.store, &export.quarantine, request->err));
    AISP_TRY(write_all(&export, format, request->err));
    *value = value_of(&export, format);
    if (export.has_more)
        aisp_note(request, "there is more: --after %s", json_string_value(json_object_get(*value, "next")));
out:
    json_decref(export.quarantine);
    json_decref(record);
    json_decref(path);
    aisp_buf_release(&export.pending);
    aisp_buf_release(&export.text);
    aisp_store_close(export.store);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const char *output = json_string_value(json_object_get(value, "output"));
    const char *text = json_string_value(json_object_get(value, "text"));
    const long long n = (long long)json_integer_value(json_object_get(value, "n_results"));

    (void)style;
    if (output)
        aisp_buf_printf(out, "%s: %lld result%s\n", output, n, n == 1 ? "" : "s");
    aisp_buf_puts(out, text ? text : ""); /* else it went out line by line */
}

static const struct aisp_operand operands[] = {
    { "RUN", "A run's id, the beginning of one, or latest (default)", .optional = true },
    { 0 },
};

static const struct aisp_option options[] = {
    { "all", 'a', AISP_OPT_FLAG, .help = "All finished runs; openmetrics: the newest result of each" },
    { "format", 'f', AISP_OPT_CHOICE, .meta = "csv|json|markdown|openmetrics",
      .help = "What to write; json is one object a line", .preset = "csv" },
    { "output", 'o', AISP_OPT_PATH, .meta = "FILE", .help = "Write it here instead of printing it" },
    { "limit", 0, AISP_OPT_INTEGER, .meta = "N", .help = "At most so many results, the newest first", .low = 1,
      .high = 1000000 },
    { "after", 0, AISP_OPT_TEXT, .meta = "NEXT", .help = "Go on behind the last result of an earlier export: its \"next\"" },
    { "no-timestamps", 0, AISP_OPT_FLAG,
      .help = "openmetrics: without the time of the run, for collectors that set their own" },
    { 0 },
};

AISP_COMMAND(bench_export) = {
    .path = "bench export",
    .sentence = "Write results as CSV, JSON Lines, a Markdown table or OpenMetrics",
    .example = "aisp bench export --all --output results.csv\naisp bench export latest --format openmetrics",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
