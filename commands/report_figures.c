/* report_figures.c - the figures of the HTML report: marks of report_svg.c with their captions, labels and axes.
 * Small multiples: every comparison is drawn the same way, reference above, variant below. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/report_html.h"
#include "commands/report_svg.h"
#include "commands/reports/roof.h"
#include "core/base/sort.h"
#include "core/evidence.h"
#include "core/stats/stats.h"

static const char *const tones[] = { "a", "b" };

static const char *name_of(const struct aisp_report_row *row, int side)
{
    return aisp_report_text(row->result, side == AISP_A ? "reference" : "variant");
}

/* ---- axes ---- */

static void put_tick(struct aisp_buf *out, double at, const char *text)
{
    aisp_buf_printf(out, "<span class=\"tick%s\" style=\"left:%.2f%%\">", at < 0.06 ? " first" : at > 0.94 ? " last" : "",
                    100 * at);
    aisp_html_put(out, text);
    aisp_buf_puts(out, "</span>");
}

static void put_axis(struct aisp_buf *out, const struct aisp_axis *axis, bool is_time)
{
    struct aisp_ticks ticks;

    aisp_axis_ticks(axis, &ticks);
    aisp_buf_puts(out, "<div class=\"axis\">");
    for (int i = 0; i < ticks.n; i++) {
        char text[48];

        aisp_axis_label(axis, &ticks, i, is_time, text);
        put_tick(out, aisp_axis_at(axis, ticks.at[i]), text);
    }
    aisp_buf_puts(out, "</div>");
}

/* ---- forest ---- */

const char *aisp_html_tone(const json_t *result)
{
    static const struct { const char *verdict, *tone; } of[] = {
        { "FASTER", "good" }, { "VERIFIED", "good" }, { "SLOWER", "bad" }, { "INVALID", "bad" }, { "UNSURE", "unsure" },
        { "SAME", "same" },
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (aisp_report_is(result, "verdict", of[i].verdict))
            return of[i].tone;
    return "plain";
}

static void put_lane(struct aisp_buf *out, const struct aisp_axis *axis, const struct aisp_report *report, size_t i)
{
    const json_t *result = report->row[i].result;
    struct aisp_buf text = AISP_BUF_INIT;
    struct aisp_svg svg;

    aisp_buf_printf(out, "<div class=\"lane\"><a href=\"#c%zu\">", i);
    aisp_html_put(out, aisp_report_text(result, "variant"));
    aisp_buf_puts(out, "</a><div class=\"plot\">");
    aisp_svg_begin(&svg, out, "row");
    aisp_marks_interval(&svg.canvas, axis, result, aisp_html_tone(result));
    aisp_svg_end(&svg);
    aisp_buf_puts(out, "</div><span class=\"ratio\">");
    aisp_report_put_ratio(&text, result);
    aisp_html_put_made(out, &text);
    aisp_buf_printf(out, "</span><span class=\"verdict %s\">", aisp_html_tone(result));
    aisp_html_put(out, aisp_report_text(result, "verdict"));
    aisp_buf_puts(out, "</span></div>\n");
}

void aisp_html_forest(struct aisp_buf *out, const struct aisp_report *report)
{
    struct aisp_axis axis;

    if (!aisp_axis_of_ratios(report, &axis))
        return;
    aisp_buf_puts(out, "<figure class=\"forest\"><figcaption>How many times faster than its reference, with the 95 % interval. "
                       "The dashed line is 1: no difference. A hollow dot is unsure.</figcaption>\n");
    for (size_t i = 0; i < report->n - report->n_swept; i++) {
        if (!i || !aisp_report_is(report->row[i].result, "target", aisp_report_text(report->row[i - 1].result, "target"))) {
            aisp_buf_puts(out, "<div class=\"target\">");
            aisp_html_put(out, aisp_report_text(report->row[i].result, "target"));
            aisp_buf_puts(out, "</div>\n");
        }
        if (!report->row[i].is_quarantined)
            put_lane(out, &axis, report, i);
    }
    aisp_buf_puts(out, "<div class=\"lane scale\"><span></span><div class=\"plot\">");
    put_axis(out, &axis, false);
    aisp_buf_puts(out, "</div><span></span><span></span></div></figure>\n");
}

/* ---- one comparison ---- */

static void put_name(struct aisp_buf *out, const struct aisp_report_row *row, int side, const char *right)
{
    aisp_buf_printf(out, "<div class=\"name %s\"><span>", tones[side]);
    aisp_html_put(out, name_of(row, side));
    aisp_buf_puts(out, "</span><span>");
    aisp_html_put(out, right);
    aisp_buf_puts(out, "</span></div>");
}

/* Windows that took longer than the axis reaches. */
static void say_slower(struct aisp_buf *text, const struct aisp_report_series *s, const struct aisp_axis *axis)
{
    double most = 0;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        n += s->ns[i] > axis->hi;
        most = fmax(most, s->ns[i]);
    }
    if (!n)
        return;
    aisp_buf_printf(text, ", %zu beyond, to ", n);
    aisp_report_put_time(text, most);
}

static void put_distribution(struct aisp_buf *out, const struct aisp_report_row *row)
{
    struct aisp_axis axis;

    if (!aisp_axis_of_times(row, &axis))
        return;
    aisp_buf_puts(out, "<figure><figcaption>Time of a call over all windows. Upright: median; line: p5 to p95; dot: p99."
                       "</figcaption>");
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_report_series *s = &row->side[side];
        struct aisp_buf text = AISP_BUF_INIT;
        struct aisp_svg svg;
        double median;

        if (!s->n || aisp_median(s->ns, s->n, &median, NULL))
            continue;
        aisp_report_put_time(&text, median);
        say_slower(&text, s, &axis);
        put_name(out, row, side, text.s);
        aisp_buf_release(&text);
        aisp_svg_begin(&svg, out, "strip");
        aisp_marks_histogram(&svg.canvas, &axis, s, tones[side]);
        aisp_svg_end(&svg);
    }
    put_axis(out, &axis, true);
    aisp_buf_puts(out, "</figure>\n");
}

static void put_drift(struct aisp_buf *out, const struct aisp_report_row *row)
{
    const double span = aisp_drift_span(row);
    size_t most = 0;

    aisp_buf_puts(out, "<figure><figcaption>The same windows in their order, as distance from their median. Line: middle of "
                       "neighbours; band: 80 % of them.</figcaption>");
    for (int side = AISP_A; side <= AISP_B; side++) {
        struct aisp_svg svg;
        char text[32];

        if (!row->side[side].n)
            continue;
        most = row->side[side].n > most ? row->side[side].n : most;
        snprintf(text, sizeof text, "\u00b1%g %%", 100 * span);
        put_name(out, row, side, text);
        aisp_svg_begin(&svg, out, "strip");
        aisp_marks_drift(&svg.canvas, &row->side[side], span, tones[side]);
        aisp_svg_end(&svg);
    }
    aisp_buf_puts(out, "<div class=\"axis\"><span class=\"tick first\" style=\"left:0\">first window</span>"
                       "<span class=\"tick last\" style=\"left:100%\">");
    aisp_buf_printf(out, "%zu</span></div></figure>\n", most);
}

static void put_pairs(struct aisp_buf *out, const struct aisp_report_row *row)
{
    struct aisp_axis axis;
    struct aisp_svg svg;

    if (!aisp_axis_of_pairs(row, &axis))
        return;
    aisp_buf_puts(out, "<figure><figcaption>Ratio of each pair of processes, first at the top. Upright: the ratio; band: its "
                       "95 % interval.</figcaption>");
    aisp_buf_printf(out, "<div class=\"name plain\"><span>%zu pair%s</span><span></span></div>", row->n_pairs,
                    row->n_pairs == 1 ? "" : "s");
    aisp_svg_begin(&svg, out, "strip tall");
    aisp_marks_pairs(&svg.canvas, &axis, row);
    aisp_svg_end(&svg);
    put_axis(out, &axis, false);
    aisp_buf_puts(out, "</figure>\n");
}

/* ---- roofline ---- */

/* Labels of the upright axis: rates, beside the plot. */
static void put_rates(struct aisp_buf *out, const struct aisp_axis *y)
{
    struct aisp_ticks ticks;

    aisp_axis_ticks(y, &ticks);
    for (int i = 0; i < ticks.n; i++) {
        char text[48];

        aisp_axis_label(y, &ticks, i, false, text);
        aisp_buf_printf(out, "<span class=\"rate\" style=\"top:%.2f%%\">%s</span>", 100 - 100 * aisp_axis_at(y, ticks.at[i]), text);
    }
}

static void put_roofline(struct aisp_buf *out, const struct aisp_report_row *row)
{
    const bool is_arithmetic = row->roof.flops_per_byte > 0;
    struct aisp_axis x, y;
    struct aisp_svg svg;

    if (!aisp_report_roof_is_measured(&row->roof))
        return;
    aisp_report_roof_axes(&row->roof, &x, &y);
    aisp_buf_puts(out, is_arithmetic ? "<figure><figcaption>Roofline: GFLOP/s over flop / byte of the declared work. Solid: the "
                                       "measured ceiling that holds here; dashed: the other levels."
                                     : "<figure><figcaption>Roofline without arithmetic: GB/s of the declared bytes. Solid: the "
                                       "measured ceiling that holds here; dashed: the other levels.");
    aisp_buf_puts(out, "</figcaption>");
    for (int side = AISP_A; side <= AISP_B; side++) {
        struct aisp_buf text = AISP_BUF_INIT;

        aisp_report_roof_put_side(&text, &row->roof, side);
        if (text.len)
            put_name(out, row, side, text.s);
        aisp_buf_release(&text);
    }
    aisp_buf_puts(out, "<div class=\"roofline\"><div class=\"plane\">");
    aisp_svg_begin(&svg, out, "strip tall");
    aisp_marks_roofline(&svg.canvas, &row->roof);
    aisp_svg_end(&svg);
    if (is_arithmetic)
        put_rates(out, &y);
    aisp_buf_puts(out, "</div>");
    put_axis(out, &x, false);
    aisp_buf_puts(out, "</div></figure>\n");
}

/* ---- the same in numbers ---- */

static void put_number_row(struct aisp_buf *out, const char *name, const double x[2], bool is_count)
{
    aisp_buf_printf(out, "<tr><th scope=\"row\">%s</th>", name);
    for (int side = AISP_A; side <= AISP_B; side++) {
        aisp_buf_puts(out, "<td class=\"n\">");
        if (is_count)
            aisp_buf_printf(out, "%.0f", x[side]);
        else
            aisp_report_put_time(out, x[side]);
        aisp_buf_puts(out, "</td>");
    }
    aisp_buf_puts(out, "</tr>\n");
}

/* Medians of the first and the last fourth of the run: the drift in two numbers. */
static double fourth(const struct aisp_report_series *s, bool is_last)
{
    const size_t n = s->n / 4;
    double median;

    if (!n || aisp_median(is_last ? s->ns + s->n - n : s->ns, n, &median, NULL))
        return NAN;
    return median;
}

static void put_sides(struct aisp_buf *out, const struct aisp_report_row *row)
{
    static const char *const names[] = { "windows", "p5", "median", "p95", "p99", "first fourth, median", "last fourth, median" };
    double x[7][2];

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_report_series *s = &row->side[side];
        struct aisp_quantiles q = { s->n, NAN, NAN, NAN, NAN };

        if (s->n && aisp_quantiles_of(s->ns, s->n, &q, NULL))
            q.p50 = NAN;
        x[0][side] = (double)s->n;
        x[1][side] = q.p5;
        x[2][side] = q.p50;
        x[3][side] = q.p95;
        x[4][side] = q.p99;
        x[5][side] = fourth(s, false);
        x[6][side] = fourth(s, true);
    }
    aisp_buf_puts(out, "<table class=\"numbers\"><thead><tr><th scope=\"col\">time of a call</th>");
    for (int side = AISP_A; side <= AISP_B; side++) {
        aisp_buf_puts(out, "<th scope=\"col\" class=\"n\">");
        aisp_html_put(out, name_of(row, side));
        aisp_buf_puts(out, "</th>");
    }
    aisp_buf_puts(out, "</tr></thead><tbody>\n");
    for (int i = 0; i < 7; i++)
        put_number_row(out, names[i], x[i], i == 0);
    aisp_buf_puts(out, "</tbody></table>\n");
}

static void put_pairs_said(struct aisp_buf *out, const struct aisp_report_row *row)
{
    double *sorted;

    if (!row->n_pairs)
        return;
    sorted = aisp_xmalloc(row->n_pairs * sizeof *sorted);
    memcpy(sorted, row->pair_ratio, row->n_pairs * sizeof *sorted);
    aisp_sort(sorted, row->n_pairs);
    aisp_buf_printf(out, "<p>%zu pair%s: ratios from %.4g to %.4g, half of them between %.4g and %.4g.</p>\n", row->n_pairs,
                    row->n_pairs == 1 ? "" : "s", sorted[0], sorted[row->n_pairs - 1],
                    aisp_quantile_sorted(sorted, row->n_pairs, 0.25), aisp_quantile_sorted(sorted, row->n_pairs, 0.75));
    free(sorted);
}

static void put_roof_said(struct aisp_buf *out, const struct aisp_report_row *row)
{
    struct aisp_buf text = AISP_BUF_INIT;

    if (aisp_report_roof_is_measured(&row->roof)) {
        aisp_buf_puts(&text, "Measured ceilings: ");
        aisp_report_roof_put_ceilings(&text, &row->roof);
        if (row->roof.flops_per_byte > 0)
            aisp_buf_printf(&text, ". Declared work: %.3g flop / byte", row->roof.flops_per_byte);
        aisp_buf_printf(&text, ". At most %.4g %s here.", aisp_report_roof_ceiling(&row->roof),
                        row->roof.flops_per_byte > 0 ? "GFLOP/s" : "GB/s");
    } else {
        aisp_buf_puts(&text, "Roofline: not measured; aisp calibrate measures the ceilings.");
    }
    aisp_buf_puts(out, "<p>");
    aisp_html_put_made(out, &text);
    aisp_buf_puts(out, "</p>\n");
}

void aisp_html_panels(struct aisp_buf *out, const struct aisp_report_row *row)
{
    if (!row->side[AISP_A].n && !row->side[AISP_B].n)
        return;
    aisp_buf_puts(out, "<div class=\"panels\">\n");
    put_distribution(out, row);
    put_drift(out, row);
    put_pairs(out, row);
    put_roofline(out, row);
    aisp_buf_puts(out, "</div><details><summary>The same in numbers</summary>\n");
    put_sides(out, row);
    put_pairs_said(out, row);
    put_roof_said(out, row);
    aisp_buf_puts(out, "</details>\n");
}
