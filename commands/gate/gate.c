/* gate.c - load a run as figures; write answers. */
#include "commands/gate/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/figure_noise.h"
#include "commands/gate/junit.h"
#include "commands/quarantine.h"
#include "commands/report.h"
#include "core/json.h"
#include "store/query.h"

/* ---- loading ---- */

static bool take_hardware(const struct aisp_result_row *row, void *context)
{
    json_object_set_new(context, row->key, json_string(row->hardware));
    return true;
}

static char *quarantine_of(const json_t *list, const json_t *result)
{
    const json_t *in = aisp_quarantine_find(list, aisp_json_text(result, "target"), aisp_json_text(result, "variant"),
                                            aisp_json_text(result, "device"));

    return in ? aisp_format("in quarantine since run %s: %s", aisp_json_text(in, "run"), aisp_json_text(in, "reason"))
              : NULL;
}

enum aisp_status aisp_gate_run_load(struct aisp_gate_run *run, struct aisp_store *store, const char *name, bool with_evidence,
                                    struct aisp_err *err)
{
    json_t *quarantined = NULL, *hardware = json_object();
    const json_t *result;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_store_run_load(store, name, &run->record, err));
    run->id = aisp_json_text(run->record, "run");
    run->started = aisp_json_text(json_object_get(run->record, "manifest"), "started");
    run->figures = json_array();
    AISP_TRY(aisp_store_quarantine_list(store, &quarantined, err));
    AISP_TRY(aisp_store_each_result(store, &(struct aisp_filter){ .run = run->id }, take_hardware, hardware, err));
    json_array_foreach(json_object_get(run->record, "results"), i, result) {
        const char *key = aisp_json_text(result, "key");
        char *quarantine = quarantine_of(quarantined, result);
        json_t *evidence = NULL;

        if (with_evidence && aisp_figure_needs_evidence(result) &&
            aisp_store_evidence_load(store, run->id, key, &evidence, NULL))
            evidence = NULL;
        json_array_append_new(run->figures, aisp_figure_new(result, evidence, aisp_json_text(hardware, key), quarantine));
        json_decref(evidence);
        free(quarantine);
    }
out:
    json_decref(quarantined);
    json_decref(hardware);
    return st;
}

void aisp_gate_run_release(struct aisp_gate_run *run)
{
    json_decref(run->record);
    json_decref(run->figures);
    *run = (struct aisp_gate_run)AISP_GATE_RUN_INIT;
}

void aisp_gate_noise(void *context, const json_t *figure, struct aisp_noise *out)
{
    struct aisp_gate_noise *source = context;

    *out = (struct aisp_noise){ .sd_log = NAN, .sd_log_high = NAN };
    if (!source->status)
        source->status = aisp_figure_noise(source->store, figure, source->before, out, &source->err);
}

/* ---- writing ---- */

static void render_json(const json_t *value, struct aisp_buf *out)
{
    json_t *copy = json_copy((json_t *)value);
    char *text;

    json_object_del(copy, "format");
    text = json_dumps(copy, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    if (!text)
        AISP_BUG("an answer that is no JSON");
    aisp_buf_printf(out, "%s\n", text);
    free(text);
    json_decref(copy);
}

void aisp_gate_render(const struct aisp_gate_form *form, const json_t *value, const struct aisp_style *style,
                      struct aisp_buf *out)
{
    const char *format = aisp_json_text(value, "format");

    if (!strcmp(format, "markdown")) {
        form->markdown(value, out);
    } else if (!strcmp(format, "json")) {
        render_json(value, out);
    } else if (!strcmp(format, "junit")) {
        json_t *cases = form->cases(value);

        aisp_junit(cases, form->suite, aisp_json_text(value, "started"), out);
        json_decref(cases);
    } else {
        form->text(value, style, out);
    }
}

/* Columns, not bytes. */
static size_t width(const char *text, size_t n)
{
    size_t columns = 0;

    for (size_t i = 0; i < n; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

void aisp_gate_wrap(struct aisp_buf *out, const char *indent, const char *text)
{
    const size_t room = 79 - strlen(indent);

    while (*text) {
        size_t n = strcspn(text, " \n"), next;

        while (text[n] == ' ' && (next = n + 1 + strcspn(text + n + 1, " \n"), width(text, next) <= room))
            n = next;
        aisp_buf_printf(out, "%s%.*s\n", indent, (int)n, text);
        text += n;
        text += strspn(text, " \n");
    }
}

/* What rounds to nothing has no sign. */
static double unsigned_zero(double percent)
{
    return fabs(percent) < 0.05 ? 0 : percent;
}

void aisp_gate_put_percent(struct aisp_buf *out, double percent)
{
    aisp_buf_printf(out, "%+.1f %%", unsigned_zero(percent));
}

void aisp_gate_put_change(struct aisp_buf *out, const json_t *change)
{
    const double percent = aisp_json_number(change, "percent"), lo = aisp_json_number(change, "lo95_percent"),
                 hi = aisp_json_number(change, "hi95_percent");

    if (!json_is_object(change)) {
        aisp_buf_puts(out, "-");
        return;
    }
    if (hi >= 999949)
        aisp_buf_printf(out, "x%.3g", 1 + percent / 100);
    else if (hi >= 9999.5)                       /* a hundred times and more is said so: "x123 [x110, x140]" */
        aisp_buf_printf(out, "x%.0f [x%.0f, x%.0f]", 1 + percent / 100, 1 + lo / 100, 1 + hi / 100);
    else if (hi >= 99.95)                        /* of what more than doubled no tenths: it fits its column */
        aisp_buf_printf(out, "%+.0f %% [%+.0f, %+.0f]", percent, lo, hi);
    else
        aisp_buf_printf(out, "%+.1f %% [%+.1f, %+.1f]", unsigned_zero(percent), unsigned_zero(lo), unsigned_zero(hi));
}

void aisp_gate_put_ratio(struct aisp_buf *out, const json_t *figure)
{
    const struct aisp_ratio r = aisp_figure_ratio(figure);
    const int digits = r.ratio < 10 ? 3 : r.ratio < 100 ? 2 : 1;

    if (!isfinite(r.ratio))
        aisp_buf_puts(out, "-");
    else if (isfinite(r.lo95) && isfinite(r.hi95))
        aisp_buf_printf(out, "%.*f [%.*f, %.*f]", digits, r.ratio, digits, r.lo95, digits, r.hi95);
    else
        aisp_buf_printf(out, "%.*f", digits, r.ratio);
}

json_t *aisp_gate_case(const json_t *row, const char *outcome, const char *type, const char *message)
{
    const char *target = aisp_json_text(row, "target"), *reference = aisp_json_text(row, "reference");
    char *chapter = aisp_figure_chapter(target), *name;
    json_t *time = json_object_get(row, "elapsed_s"), *out;

    name = aisp_format("%s%s%s (%s%s%s, %s)", aisp_json_text(row, "variant"), strcmp(reference, "baseline") ? " vs " : "",
                       strcmp(reference, "baseline") ? reference : "", aisp_json_text(row, "size"),
                       *aisp_json_text(row, "point") ? " " : "", aisp_json_text(row, "point"),
                       aisp_json_text(row, "device"));
    out = json_pack("{s:s, s:s, s:s, s:O, s:s, s:s, s:s}", "suite", chapter, "classname", target, "name", name, "time_s",
                    time ? time : json_null(), "outcome", outcome, "type", type, "message", message);
    free(chapter);
    free(name);
    return out;
}

void aisp_gate_put_cell(struct aisp_buf *out, const char *text)
{
    aisp_report_put_markdown(out, text);
}

size_t aisp_gate_count(const json_t *rows, const char *name, const char *word)
{
    const json_t *row;
    size_t i, n = 0;

    json_array_foreach(rows, i, row)
        n += !strcmp(aisp_json_text(row, name), word);
    return n;
}
