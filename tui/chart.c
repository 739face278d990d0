/* chart.c - figures on a grid of characters. */
#include "tui/chart.h"

#include <math.h>

static const char *const eighths[] = { "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588" };

/* ---- one row ---- */

/* What column i of `width` shows of n values. */
static double share(const double *x, size_t n, int i, int width, bool is_counts)
{
    size_t from = n * (size_t)i / (size_t)width, to = n * (size_t)(i + 1) / (size_t)width, n_seen = 0;
    double sum = 0, most = -INFINITY;

    if (to == from)
        to = from + 1;
    for (; from < to && from < n; from++) {
        if (isnan(x[from]))
            continue;
        sum += x[from];
        most = fmax(most, x[from]);
        n_seen++;
    }
    return !n_seen ? NAN : is_counts ? most : sum / (double)n_seen;
}

void aisp_chart_spark(struct aisp_canvas *canvas, struct aisp_rect in, int style, const double *x, size_t n, double lo,
                      double hi, bool is_counts)
{
    const int width = n < (size_t)in.columns && !is_counts ? (int)n : in.columns;

    for (int i = 0; i < width && n; i++) {
        const double value = share(x, n, i, width, is_counts);
        int level = hi > lo ? (int)(8 * (value - lo) / (hi - lo)) : 3;

        if (isnan(value) || (is_counts && value <= 0))
            continue;
        level = level > 7 ? 7 : level < 0 ? 0 : level;
        aisp_canvas_put(canvas, in.row, in.column + i, 1, style, eighths[level]);
    }
}

void aisp_chart_bar(struct aisp_canvas *canvas, struct aisp_rect in, int style, double part)
{
    const int full = (int)(fmin(fmax(part, 0), 1) * in.columns + 0.5);

    for (int i = 0; i < in.columns; i++)
        aisp_canvas_put(canvas, in.row, in.column + i, 1, i < full ? style : AISP_TONE_DIM, i < full ? "\u2588" : "\u2591");
}

static int place(double x, double lo, double hi, int columns)
{
    const double at = hi > lo ? (x - lo) / (hi - lo) : 0.5;

    return (int)(fmin(fmax(at, 0), 1) * (columns - 1) + 0.5);
}

void aisp_chart_interval(struct aisp_canvas *canvas, struct aisp_rect in, int style, double centre, double lo, double hi)
{
    const double left = fmin(1, isfinite(lo) ? lo : centre), right = fmax(1, isfinite(hi) ? hi : centre);
    const double air = 0.05 * (right - left) + 0.001, from = left - air, to = right + air;

    if (!isfinite(centre))
        return;
    for (int i = 0; i < in.columns; i++)
        aisp_canvas_put(canvas, in.row, in.column + i, 1, AISP_TONE_DIM, "\u00b7");
    aisp_canvas_put(canvas, in.row, in.column + place(1, from, to, in.columns), 1, AISP_TONE_PLAIN, "|");
    if (isfinite(lo) && isfinite(hi))
        for (int i = place(lo, from, to, in.columns); i <= place(hi, from, to, in.columns); i++)
            aisp_canvas_put(canvas, in.row, in.column + i, 1, style, "\u2500");
    aisp_canvas_put(canvas, in.row, in.column + place(centre, from, to, in.columns), 1, style | AISP_MARK_BOLD, "\u25cf");
}

/* ---- roofline ---- */

void aisp_chart_roof(struct aisp_canvas *canvas, struct aisp_rect in, const struct aisp_tui_roof *roof)
{
    const double ridge = roof->peak_gflops / roof->peak_gbps;
    const double left = log(fmin(ridge, roof->intensity) / 8), right = log(fmax(ridge, roof->intensity) * 8);
    const double top = log(roof->peak_gflops * 1.5);
    const double bottom = fmin(log(exp(left) * roof->peak_gbps), log(roof->gflops / 2));

    for (int i = 0; i < in.columns; i++) {
        const double x = exp(left + (right - left) * i / (in.columns - 1));
        const bool is_flat = x * roof->peak_gbps >= roof->peak_gflops;
        const double y = log(is_flat ? roof->peak_gflops : x * roof->peak_gbps);

        aisp_canvas_put(canvas, in.row + in.rows - 1 - place(y, bottom, top, in.rows), in.column + i, 1, AISP_TONE_PLAIN,
                        is_flat ? "\u2500" : "\u2571");
    }
    aisp_canvas_put(canvas, in.row + in.rows - 1 - place(log(roof->gflops), bottom, top, in.rows),
                    in.column + place(log(roof->intensity), left, right, in.columns), 1, AISP_TONE_ACCENT | AISP_MARK_BOLD,
                    "\u25cf");
}
