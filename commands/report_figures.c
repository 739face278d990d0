/* report_figures.c - the figures of the HTML report: marks of report_svg.c with their captions, labels and axes.
 * Small multiples: every comparison is drawn the same way, reference above, variant below. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/report_html.h"
#include "commands/report_svg.h"
#include "core/evidence.h"
#include "core/stats/stats.h"

static const char *const tones[] = { "a", "b" };

static const char *name_of(const struct aisp_report_row *row, int side)
{
    return aisp_report_text(row->result, side == AISP_A ? "reference" : "variant");
}

/* ---- axes ---- */

/* As many digits as tell two neighbours apart. */
static int digits_of(double step)
{
    const int digits = (int)ceil(-log10(step) - 1e-9);

    return digits < 0 ? 0 : digits > 9 ? 9 : digits;
}

static void put_tick(struct aisp_buf *out, double at, const char *text)
{
    aisp_buf_printf(out, "<span class=\"tick%s\" style=\"left:%.2f%%\">", at < 0.06 ? " first" : at > 0.94 ? " last" : "",
                    100 * at);
    aisp_html_put(out, text);
    aisp_buf_puts(out, "</span>");
}

static void put_axis(struct aisp_buf *out, const struct aisp_axis *axis, bool is_time)
{
    static const struct { double ns; const char *unit; } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\u00b5s" }, { 1, "ns" } };
    struct aisp_ticks ticks;

    aisp_axis_ticks(axis, &ticks);
    aisp_buf_puts(out, "<div class=\"axis\">");
    for (int i = 0; i < ticks.n; i++) {
        const double x = ticks.at[i];
        size_t u = 0;
        char text[48];

        while (u < 3 && x < 0.9995 * units[u].ns)
            u++;
        if (is_time)
            snprintf(text, sizeof text, "%.*f %s", digits_of(ticks.step / units[u].ns), x / units[u].ns, units[u].unit);
        else if (axis->is_log)
            snprintf(text, sizeof text, "%g", x);
        else
            snprintf(text, sizeof text, "%.*f", digits_of(ticks.step), x);
        put_tick(out, aisp_axis_at(axis, x), text);
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

static bool axis_of_ratios(const struct aisp_report *report, struct aisp_axis *axis)
{
    double lo = 1, hi = 1;
    size_t n = 0;

    for (size_t i = 0; i < report->n; i++) {
        static const char *const ends[] = { "ratio", "lo95", "hi95" };

        for (int j = 0; j < 3; j++) {
            const double x = aisp_report_number(report->row[i].result, ends[j]);

            if (isfinite(x) && x > 0) {
                lo = fmin(lo, x);
                hi = fmax(hi, x);
                n++;
            }
        }
    }
    if (n)
        *axis = aisp_axis_around(lo, hi);
    return n > 0;
}

static void put_lane(struct aisp_buf *out, const struct aisp_axis *axis, const struct aisp_report *report, size_t i)
{
    const json_t *result = report->row[i].result;
    struct aisp_buf text = AISP_BUF_INIT;

    aisp_buf_printf(out, "<div class=\"lane\"><a href=\"#c%zu\">", i);
    aisp_html_put(out, aisp_report_text(result, "variant"));
    aisp_buf_puts(out, "</a><div class=\"plot\">");
    aisp_svg_interval(out, axis, result, aisp_html_tone(result));
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

    if (!axis_of_ratios(report, &axis))
        return;
    aisp_buf_puts(out, "<figure class=\"forest\"><figcaption>How many times faster than its reference, with the 95 % interval. "
                       "The dashed line is 1: no difference. A hollow dot is unsure.</figcaption>\n");
    for (size_t i = 0; i < report->n; i++) {
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
        double median;

        if (!s->n || aisp_median(s->ns, s->n, &median, NULL))
            continue;
        aisp_report_put_time(&text, median);
        say_slower(&text, s, &axis);
        put_name(out, row, side, text.s);
        aisp_buf_release(&text);
        aisp_svg_histogram(out, &axis, s, tones[side]);
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
        char text[32];

        if (!row->side[side].n)
            continue;
        most = row->side[side].n > most ? row->side[side].n : most;
        snprintf(text, sizeof text, "\u00b1%g %%", 100 * span);
        put_name(out, row, side, text);
        aisp_svg_drift(out, &row->side[side], span, tones[side]);
    }
    aisp_buf_puts(out, "<div class=\"axis\"><span class=\"tick first\" style=\"left:0\">first window</span>"
                       "<span class=\"tick last\" style=\"left:100%\">");
    aisp_buf_printf(out, "%zu</span></div></figure>\n", most);
}

static void put_pairs(struct aisp_buf *out, const struct aisp_report_row *row)
{
    double lo = aisp_report_number(row->result, "lo95"), hi = aisp_report_number(row->result, "hi95");
    struct aisp_axis axis;

    for (size_t i = 0; i < row->n_pairs; i++) {
        lo = fmin(lo, row->pair_ratio[i]);
        hi = fmax(hi, row->pair_ratio[i]);
    }
    if (!row->n_pairs)
        return;
    axis = aisp_axis_around(lo, hi);
    aisp_buf_puts(out, "<figure><figcaption>Ratio of each pair of processes, first at the top. Upright: the ratio; band: its "
                       "95 % interval.</figcaption>");
    aisp_buf_printf(out, "<div class=\"name plain\"><span>%zu pair%s</span><span></span></div>", row->n_pairs,
                    row->n_pairs == 1 ? "" : "s");
    aisp_svg_pairs(out, &axis, row);
    put_axis(out, &axis, false);
    aisp_buf_puts(out, "</figure>\n");
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

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void put_pairs_said(struct aisp_buf *out, const struct aisp_report_row *row)
{
    double *sorted;

    if (!row->n_pairs)
        return;
    sorted = aisp_xmalloc(row->n_pairs * sizeof *sorted);
    memcpy(sorted, row->pair_ratio, row->n_pairs * sizeof *sorted);
    qsort(sorted, row->n_pairs, sizeof *sorted, by_value);
    aisp_buf_printf(out, "<p>%zu pair%s: ratios from %.4g to %.4g, half of them between %.4g and %.4g.</p>\n", row->n_pairs,
                    row->n_pairs == 1 ? "" : "s", sorted[0], sorted[row->n_pairs - 1],
                    aisp_quantile_sorted(sorted, row->n_pairs, 0.25), aisp_quantile_sorted(sorted, row->n_pairs, 0.75));
    free(sorted);
}

void aisp_html_panels(struct aisp_buf *out, const struct aisp_report_row *row)
{
    if (!row->side[AISP_A].n && !row->side[AISP_B].n)
        return;
    aisp_buf_puts(out, "<div class=\"panels\">\n");
    put_distribution(out, row);
    put_drift(out, row);
    put_pairs(out, row);
    aisp_buf_puts(out, "</div><details><summary>The same in numbers</summary>\n");
    put_sides(out, row);
    put_pairs_said(out, row);
    aisp_buf_puts(out, "</details>\n");
}
