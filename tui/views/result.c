/* result.c - one comparison in full: `bench show-run RUN --result KEY`. The verdict, how the times are distributed and how they
 * wander, the pairs, the place under the roof, what the checks found.
 * Not here: where the series come from (commands/runs/distribution.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/chart.h"
#include "tui/json.h"
#include "tui/results.h"
#include "tui/view.h"

enum { SHEET_ROWS = 400, LABEL = 22, FIGURE = 60 };

struct result {
    struct aisp_tui_view view;
    char *run, *key;
    json_t *value;                           /* NULL: not here yet */
    int top, n_rows, page;
};

/* Where drawing goes on. */
struct sheet { struct aisp_canvas *canvas; int row, columns; };

/* ---- parts ---- */

static void put_line(struct sheet *to, int style, const struct aisp_buf *text)
{
    const struct aisp_rect in = { to->row, 1, SHEET_ROWS - to->row, to->columns - 2 };

    if (text->s)
        to->row += aisp_canvas_wrap(to->canvas, in, style, text->s);
}

static void put_heading(struct sheet *to, const char *text)
{
    to->row++;
    aisp_canvas_put(to->canvas, to->row++, 1, to->columns - 2, AISP_TONE_ACCENT, text);
}

static struct aisp_rect figure(const struct sheet *to)
{
    const int width = to->columns - LABEL - 2;

    return (struct aisp_rect){ to->row, LABEL, 1, width < FIGURE ? width : FIGURE };
}

static void draw_verdict(struct sheet *to, const json_t *result)
{
    const char *verdict = aisp_json_text(result, "verdict");
    struct aisp_buf text = AISP_BUF_INIT;
    int at;

    aisp_tui_put_ratio(&text, result);
    at = 1 + aisp_canvas_put(to->canvas, to->row, 1, 10, aisp_tui_verdict_style(verdict) | AISP_MARK_BOLD, verdict);
    aisp_canvas_printf(to->canvas, to->row++, at + 1, to->columns - at - 2, AISP_TONE_PLAIN, "%s  %lld pairs, %s", text.s,
                       (long long)json_integer_value(json_object_get(result, "n_pairs")), aisp_json_text(result, "grade"));
    aisp_buf_release(&text);
    if (isfinite(aisp_json_number(result, "ratio"))) {
        aisp_canvas_put(to->canvas, to->row, 1, LABEL, AISP_TONE_DIM, "ratio, 95 %, | is 1");
        aisp_chart_interval(to->canvas, figure(to), aisp_tui_verdict_style(verdict), aisp_json_number(result, "ratio"),
                            aisp_json_number(result, "lo95"), aisp_json_number(result, "hi95"));
        to->row++;
    }
    aisp_tui_put_why(&text, result);
    put_line(to, AISP_TONE_UNSURE, &text);
    aisp_buf_release(&text);
}

static void draw_setting(struct sheet *to, const json_t *result)
{
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_tui_put_params(&text, result);
    aisp_buf_printf(&text, "; device %s", aisp_json_text(result, "device"));
    if (*aisp_json_text(result, "cache_level"))
        aisp_buf_printf(&text, ", data in %s", aisp_json_text(result, "cache_level"));
    put_line(to, AISP_TONE_PLAIN, &text);
    aisp_buf_release(&text);
    if (*aisp_json_text(result, "idea")) {
        aisp_buf_printf(&text, "idea: %s", aisp_json_text(result, "idea"));
        put_line(to, AISP_TONE_DIM, &text);
        aisp_buf_release(&text);
    }
}

/* ---- series ---- */

static const char *side_name(const json_t *result, const char *side)
{
    return aisp_tui_short_name(aisp_json_text(result, *side == 'a' ? "reference" : "variant"));
}

static int side_style(const char *side)
{
    return *side == 'a' ? AISP_TONE_PLAIN : AISP_TONE_ACCENT;
}

static void draw_counts(struct sheet *to, const json_t *result, const json_t *distribution, const char *side)
{
    const json_t *s = json_object_get(distribution, side);
    struct aisp_buf time = AISP_BUF_INIT;
    double *x, most = 0;
    size_t n;

    if (!json_is_object(s))
        return;
    x = aisp_json_numbers(json_object_get(s, "counts"), &n);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, x[i]);
    aisp_tui_put_time(&time, aisp_json_number(s, "p50_ns"));
    aisp_canvas_put(to->canvas, to->row, 1, LABEL - 10, side_style(side), side_name(result, side));
    aisp_canvas_put_right(to->canvas, to->row, LABEL - 9, 8, side_style(side), time.s);
    aisp_chart_spark(to->canvas, figure(to), side_style(side), x, n, 0, most, true);
    to->row++;
    aisp_buf_release(&time);
    free(x);
}

static void draw_axis(struct sheet *to, const json_t *distribution)
{
    const struct aisp_rect in = figure(to);
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_tui_put_time(&text, aisp_json_number(distribution, "lo_ns"));
    aisp_canvas_put(to->canvas, to->row, in.column, in.columns, AISP_TONE_DIM, text.s);
    aisp_buf_release(&text);
    aisp_tui_put_time(&text, aisp_json_number(distribution, "hi_ns"));
    aisp_canvas_put_right(to->canvas, to->row++, in.column, in.columns, AISP_TONE_DIM, text.s);
    aisp_buf_release(&text);
}

/* From its least to its most, with the span in percent beside it: a flat line of noise looks as restless as a real drift. */
static void draw_series(struct sheet *to, const char *name, int style, const json_t *array)
{
    double *x, lo = INFINITY, hi = -INFINITY;
    size_t n;

    x = aisp_json_numbers(array, &n);
    for (size_t i = 0; i < n; i++) {
        lo = fmin(lo, x[i]);
        hi = fmax(hi, x[i]);
    }
    if (n) {
        char *span = aisp_format("%.*f%%", hi / lo < 1.0995 ? 1 : 0, 100 * (hi / lo - 1));

        aisp_canvas_put(to->canvas, to->row, 1, LABEL - 10, style, name);
        aisp_canvas_put_right(to->canvas, to->row, LABEL - 9, 8, style, span);
        aisp_chart_spark(to->canvas, figure(to), style, x, n, lo, hi, false);
        to->row++;
        free(span);
    }
    free(x);
}

static void draw_samples(struct sheet *to, const json_t *value)
{
    const json_t *distribution = json_object_get(value, "distribution"), *result = json_object_get(value, "result");
    static const char *const sides[] = { "a", "b" };
    struct aisp_buf trouble = AISP_BUF_INIT;

    aisp_buf_puts(&trouble, aisp_json_text(value, "trouble"));
    aisp_buf_puts(&trouble, aisp_json_text(distribution, "trouble"));
    if (json_is_number(json_object_get(distribution, "lo_ns"))) {
        put_heading(to, "time of a call: how often (median at the left)");
        for (int i = 0; i < 2; i++)
            draw_counts(to, result, distribution, sides[i]);
        draw_axis(to, distribution);
        put_heading(to, "the same in the order of the run (span at the left)");
        for (int i = 0; i < 2; i++)
            draw_series(to, side_name(result, sides[i]), side_style(sides[i]),
                        json_object_get(json_object_get(distribution, sides[i]), "drift_ns"));
        draw_series(to, "pair ratios", AISP_TONE_PLAIN, json_object_get(distribution, "pair_ratios"));
    } else {
        put_heading(to, "no samples to show");
    }
    put_line(to, AISP_TONE_BAD, &trouble);
    aisp_buf_release(&trouble);
}

/* ---- roofline and findings ---- */

static void draw_roofline(struct sheet *to, const json_t *value)
{
    const json_t *json = json_object_get(value, "roofline");
    const struct aisp_tui_roof roof = { aisp_json_number(json, "flops_per_byte"), aisp_json_number(json, "gflops"),
                                        aisp_json_number(json, "peak_gflops"), aisp_json_number(json, "peak_gbps") };
    struct aisp_rect in = figure(to);

    put_heading(to, "roofline");
    if (!json_is_object(json)) {
        aisp_canvas_put(to->canvas, to->row++, 1, to->columns - 2, AISP_TONE_DIM, "not measured");
        return;
    }
    aisp_canvas_printf(to->canvas, to->row++, 1, to->columns - 2, AISP_TONE_PLAIN,
                       "%.3g flop/byte (ridge %.3g): %.3g of %.3g GFLOP/s, bound by %s", roof.intensity,
                       aisp_json_number(json, "ridge"), roof.gflops, aisp_json_number(json, "roof_gflops"),
                       aisp_json_text(json, "bound"));
    in.row = to->row;
    in.rows = 7;
    aisp_canvas_printf(to->canvas, to->row, 1, LABEL - 2, AISP_TONE_DIM, "%.3g GFLOP/s", roof.peak_gflops);
    aisp_canvas_printf(to->canvas, to->row + 6, 1, LABEL - 2, AISP_TONE_DIM, "%.3g GB/s", roof.peak_gbps);
    aisp_chart_roof(to->canvas, in, &roof);
    to->row += in.rows;
}

static int severity_style(const char *severity)
{
    return !strcmp(severity, "violation") ? AISP_TONE_BAD | AISP_MARK_BOLD :
           !strcmp(severity, "development") ? AISP_TONE_UNSURE : AISP_TONE_DIM;
}

static void draw_findings(struct sheet *to, const json_t *result)
{
    static const char *const order[] = { "violation", "development", "note" };
    const json_t *findings = json_object_get(result, "findings"), *f;
    struct aisp_rect in = { 0, LABEL, 0, to->columns - LABEL - 1 };
    size_t i;

    put_heading(to, json_array_size(findings) ? "findings" : "no findings");
    for (int severity = 0; severity < 3; severity++)
        json_array_foreach(findings, i, f) {
            if (!aisp_json_is(f, "severity", order[severity]) || to->row >= SHEET_ROWS - 8)
                continue;
            aisp_canvas_put(to->canvas, to->row, 1, LABEL - 2, severity_style(order[severity]), aisp_json_text(f, "check"));
            in.row = to->row;
            in.rows = 6;
            to->row += aisp_canvas_wrap(to->canvas, in, AISP_TONE_PLAIN, aisp_json_text(f, "text"));
            to->row += !*aisp_json_text(f, "text");
        }
}

/* ---- the view ---- */

static void draw(struct aisp_tui_view *view, struct aisp_canvas *canvas, struct aisp_rect in)
{
    struct result *r = (struct result *)view;
    const json_t *result = json_object_get(r->value, "result");
    struct aisp_canvas tall;
    struct sheet to = { &tall, 0, in.columns };

    if (!r->value) {
        aisp_canvas_put(canvas, in.row + 1, in.column + 1, in.columns - 2, AISP_TONE_PLAIN,
                        aisp_view_is_busy(view) ? "reading the samples ..." : "nothing to show");
        return;
    }
    aisp_canvas_init(&tall, SHEET_ROWS, in.columns, canvas->is_ascii);
    draw_verdict(&to, result);
    draw_setting(&to, result);
    draw_samples(&to, r->value);
    draw_roofline(&to, r->value);
    draw_findings(&to, result);
    r->n_rows = to.row;
    r->page = in.rows;
    if (r->top > r->n_rows - r->page)
        r->top = r->n_rows > r->page ? r->n_rows - r->page : 0;
    aisp_canvas_copy(canvas, in, &tall, r->top);
    if (r->top + r->page < r->n_rows)
        aisp_canvas_put_right(canvas, in.row + in.rows - 1, in.column, in.columns - 1, AISP_TONE_DIM, "\u25bc more");
    aisp_canvas_release(&tall);
}

static struct aisp_step key(struct aisp_tui_view *view, int key)
{
    struct result *r = (struct result *)view;
    const char *const text[] = { "bench", "show-run", r->run, "--result", r->key, NULL };
    const int last = r->n_rows > r->page ? r->n_rows - r->page : 0, page = r->page > 1 ? r->page - 1 : 1;
    int to = r->top;

    switch (key) {
    case AISP_KEY_UP: case 'k': to--; break;
    case AISP_KEY_DOWN: case 'j': to++; break;
    case AISP_KEY_PAGE_UP: to -= page; break;
    case AISP_KEY_PAGE_DOWN: case ' ': to += page; break;
    case AISP_KEY_HOME: case 'g': to = 0; break;
    case AISP_KEY_END: case 'G': to = last; break;
    case 't': return AISP_STEP_OPEN(aisp_output_view_of(text));
    default: return AISP_STEP_UNUSED;
    }
    r->top = to < 0 ? 0 : to > last ? last : to;
    return AISP_STEP_STAY;
}

static void answer(struct aisp_tui_view *view, const struct aisp_answer *answer)
{
    struct result *r = (struct result *)view;
    struct aisp_buf name = AISP_BUF_INIT;

    if (answer->error) {
        snprintf(view->said, sizeof view->said, "%s", answer->error);
        return;
    }
    json_decref(r->value);
    r->value = json_incref(answer->value);
    aisp_tui_put_comparison(&name, json_object_get(r->value, "result"));
    snprintf(view->title, sizeof view->title, "%s", name.s);
    aisp_buf_release(&name);
}

static void release(struct aisp_tui_view *view)
{
    struct result *r = (struct result *)view;

    json_decref(r->value);
    free(r->run);
    free(r->key);
}

static const struct aisp_key_help keys[] = {
    { "Up Down", "scroll" }, { "Space", "page" }, { "t", "as text" }, { NULL, NULL },
};

static const struct aisp_view_class class = {
    .name = "Result", .keys = keys, .draw = draw, .key = key, .answer = answer, .free = release,
};

struct aisp_tui_view *aisp_result_view_new(const char *run, const char *result_key)
{
    const char *const words[] = { "bench", "show-run", run, "--result", result_key, NULL };
    struct result *r = aisp_view_new(&class, sizeof *r);

    r->run = aisp_xstrdup(run);
    r->key = aisp_xstrdup(result_key);
    snprintf(r->view.title, sizeof r->view.title, "%s", result_key);
    aisp_view_ask(&r->view, AISP_JOB_WANTS_VALUE, words);
    return &r->view;
}
