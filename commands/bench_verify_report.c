/* bench_verify_report.c - `bench verify-report`: what was verified of each target, from the newest run of each.
 * Not here: its layout (verify_report.c); nothing is run. */
#include <stdlib.h>
#include <string.h>

#include "commands/pick.h"
#include "commands/quarantine.h"
#include "commands/report.h"
#include "commands/report_write.h"
#include "commands/verify_report.h"

static const struct format {
    const char *name, *file;
} formats[] = { { "markdown", "verify-report.md" },
                { "html", "verify-report.html" },
                { "json", "verify-report.json" } };

struct collecting {
    struct aisp_store *store;
    const char *gpu; /* or NULL */
    json_t *quarantined, *targets, *without;
};

/* Those of the target's results whose variant is in, with the reason. */
static json_t *quarantined_of(const json_t *list, const json_t *results)
{
    json_t *in = json_object();
    const json_t *result;
    size_t i;

    json_array_foreach(results, i, result) {
        const char *variant = aisp_report_text(result, "variant");
        const json_t *entry = aisp_quarantine_find(list, aisp_report_text(result, "target"),
                                                   variant, aisp_report_text(result, "device"));

        if (entry)
            json_object_set(in, variant, json_object_get(entry, "reason"));
    }
    return in;
}

static enum aisp_status add_target(struct collecting *c, const char *id, struct aisp_err *err)
{
    json_t *newest = NULL;
    const json_t *environment, *results;
    const char *gpu;
    enum aisp_status st = c->store ? aisp_store_newest(c->store, id, &newest, err) : AISP_OK;

    if (st)
        return st;
    environment = json_object_get(json_object_get(newest, "manifest"), "environment");
    results = json_object_get(newest, "results");
    gpu = aisp_report_text(environment, "gpu");
    if (!newest || (c->gpu && !strstr(gpu, c->gpu)))
        json_array_append_new(c->without, json_string(id));
    else
        json_array_append_new(
            c->targets,
            json_pack("{s:s, s:O, s:s, s:s, s:s, s:O, s:o}", "target", id, "run",
                      json_object_get(newest, "run"), "started",
                      aisp_report_text(json_object_get(newest, "manifest"), "started"), "machine",
                      aisp_report_text(environment, "cpu_model"), "gpu", gpu, "results", results,
                      "quarantined", quarantined_of(c->quarantined, results)));
    json_decref(newest);
    return AISP_OK;
}

static enum aisp_status collect(const struct aisp_request *request, struct collecting *c)
{
    struct aisp_picks picks = AISP_PICKS_INIT;
    struct aisp_catalogue cat = { 0 };
    const char *const *pattern;
    enum aisp_status st;
    size_t n;

    pattern = aisp_args_list(request->args, "targets", &n);
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_pick_targets(&cat, pattern, n, &picks, request->err));
    AISP_TRY(aisp_store_open(&c->store, request->artifacts_dir, false, request->err));
    for (size_t i = 0; i < picks.n; i++)
        AISP_TRY(add_target(c, picks.target[i]->id, request->err));
    if (c->gpu && !json_array_size(c->targets))
        st = aisp_fail(request->err, AISP_E_UNAVAILABLE,
                       "no newest run of any of these targets was on a GPU called \"%s\"", c->gpu);
out:
    aisp_picks_release(&picks);
    aisp_catalogue_release(&cat);
    return st;
}

static void make(const json_t *report, const char *format, struct aisp_buf *out)
{
    char *text;

    if (!strcmp(format, "markdown")) {
        aisp_verify_report_markdown(report, out);
    } else if (!strcmp(format, "html")) {
        aisp_verify_report_html(report, out);
    } else {
        text = json_dumps(report, JSON_INDENT(1));
        aisp_buf_puts(out, text);
        aisp_buf_puts(out, "\n");
        free(text);
    }
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const char *format = aisp_args_text(request->args, "format");
    struct collecting c = { .gpu = aisp_args_text(request->args, "gpu"),
                            .quarantined = aisp_quarantine_here(request->artifacts_dir),
                            .targets = json_array(),
                            .without = json_array() };
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *written = json_array(), *report = NULL;
    char *path = NULL;
    enum aisp_status st;
    size_t i = 0;

    (void)exit_code;
    AISP_TRY(collect(request, &c));
    while (strcmp(formats[i].name, format))
        i++;
    path = aisp_format("%s/%s", request->artifacts_dir, formats[i].file);
    report =
        json_pack("{s:O, s:O, s:s?}", "targets", c.targets, "without", c.without, "gpu", c.gpu);
    make(report, format, &text);
    AISP_TRY(aisp_report_write(request, path, &text, written));
    *value = json_pack("{s:s, s:I, s:I, s:O}", "format", format, "n_targets",
                       (json_int_t)json_array_size(c.targets), "bytes", (json_int_t)text.len,
                       "written", written);
out:
    aisp_store_close(c.store);
    aisp_buf_release(&text);
    json_decref(c.quarantined);
    json_decref(c.targets);
    json_decref(c.without);
    json_decref(written);
    json_decref(report);
    free(path);
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

static const struct aisp_option options[] = {
    { "targets", 't', AISP_OPT_TEXT, .repeats = true, .meta = "TARGET",
      .help = "Only these (default: all targets)" },
    { "format", 'f', AISP_OPT_CHOICE, .meta = "markdown|html|json", .help = "What to write",
      .preset = "markdown" },
    { "gpu", 0, AISP_OPT_TEXT, .meta = "NAME",
      .help = "Only runs on a GPU whose name contains this" },
    { "output", 'o', AISP_OPT_PATH, .meta = "FILE",
      .help = "Write it here too, beside the copy in the artifacts folder" },
    { 0 },
};

AISP_COMMAND(bench_verify_report) = {
    .path = "bench verify-report",
    .sentence = "Write what was verified of each target: outputs, secret sizes, findings, grade",
    .example = "aisp bench verify-report --format html",
    .option = options,
    .flags = AISP_CMD_READS_STORE | AISP_CMD_WRITES,
    .run = run,
    .render = render,
};
