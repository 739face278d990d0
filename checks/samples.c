/* samples.c - medians and differences over windows. */
#include "checks/samples.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/stats/stats.h"

double aisp_median_or_zero(const double *x, size_t n)
{
    double median = 0;

    /* Evidence can come from a file: numbers that are none give 0, and the checks that need one say nothing. */
    return n && aisp_median(x, n, &median, NULL) == AISP_OK ? median : 0;
}

typedef double pick_fn(const struct aisp_window *w);

static double pick_window(const struct aisp_window *w) { return (double)w->window_ns; }
static double pick_call(const struct aisp_window *w) { return (double)w->window_ns / (double)w->calls; }
static double pick_slack(const struct aisp_window *w) { return (double)(w->window_ns - w->inner_ns); }

/* In a control pair both sides are the reference: its windows say nothing about the contender. */
enum { SLACK_WINDOWS = 5 };          /* quiet ones, below which a process cannot be judged */

static bool is_control(const struct aisp_evidence *ev, int pair)
{
    for (size_t p = 0; p < ev->n_pairs; p++)
        if (ev->pair[p].pair == pair)
            return ev->pair[p].is_control;
    return false;
}

/* Picks from windows of a side and kind, of one pair or (pair -1) of all but controls; returns how many. `quiet` leaves out
 * windows in which the worker or the supervisor was put aside for another process: their length says nothing about either. */
static int collect(const struct aisp_evidence *ev, enum aisp_side side, int kind, int pair, bool quiet, pick_fn *pick, double *to)
{
    int n = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->side == (int)side && w->kind == kind && w->calls > 0 && !(quiet && aisp_window_is_disturbed(w)) &&
            (pair < 0 ? !is_control(ev, w->pair) : w->pair == pair))
            to[n++] = pick(w);
    }
    return n;
}

static double median_of(const struct aisp_evidence *ev, enum aisp_side side, pick_fn *pick)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x), median;
    const int n = collect(ev, side, AISP_WINDOW_TIMED, -1, false, pick, x);

    median = aisp_median_or_zero(x, (size_t)n);
    free(x);
    return median;
}

double aisp_median_window_ns(const struct aisp_evidence *ev, enum aisp_side side) { return median_of(ev, side, pick_window); }
double aisp_median_call_ns(const struct aisp_evidence *ev, enum aisp_side side) { return median_of(ev, side, pick_call); }

struct aisp_slack aisp_worst_slack(const struct aisp_evidence *ev, enum aisp_side side)
{
    struct aisp_slack worst = { -1, 0, 0 };
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x);

    for (size_t p = 0; p < ev->n_pairs; p++) {
        const int pair = ev->pair[p].pair, n = collect(ev, side, AISP_WINDOW_TIMED, pair, true, pick_slack, x);
        const double median = aisp_median_or_zero(x, (size_t)n);

        if (ev->pair[p].is_control)
            continue;   /* there both sides are the reference */
        if (n >= SLACK_WINDOWS && (worst.pair < 0 || fabs(median) > fabs(worst.median_ns)))
            worst = (struct aisp_slack){ pair, n, median };
    }
    free(x);
    return worst;
}

/* Standard error of a median from the spread of its sample, robustly: 1.2533 * 1.4826 * MAD / sqrt(n). */
static double median_error(const double *x, int n, double median)
{
    double *d = aisp_xmalloc((size_t)n * sizeof *d), mad;

    for (int i = 0; i < n; i++)
        d[i] = fabs(x[i] - median);
    mad = aisp_median_or_zero(d, (size_t)n);
    free(d);
    return 1.2533 * 1.4826 * mad / sqrt(n);
}

static int64_t calls_of(const struct aisp_evidence *ev, int kind)
{
    for (size_t i = 0; i < ev->n_windows; i++)
        if (ev->window[i].kind == kind)
            return ev->window[i].calls;
    return 0;
}

struct aisp_repeats aisp_repeats(const struct aisp_evidence *ev, enum aisp_side side)
{
    struct aisp_repeats r = { 0 };
    double *once = aisp_xmalloc((ev->n_windows + 1) * sizeof *once), *half = aisp_xmalloc((ev->n_windows + 1) * sizeof *half);
    const int n_once = collect(ev, side, AISP_WINDOW_ONCE, -1, true, pick_window, once);
    double *usual = aisp_xmalloc((ev->n_windows + 1) * sizeof *usual);
    const int n_usual = collect(ev, side, AISP_WINDOW_TIMED, -1, true, pick_call, usual);
    const int n_half = collect(ev, side, AISP_WINDOW_ONCE_HALF, -1, true, pick_window, half);
    const int64_t calls = calls_of(ev, AISP_WINDOW_ONCE) - calls_of(ev, AISP_WINDOW_ONCE_HALF);

    if (n_once > 0 && n_half > 0 && n_usual > 0 && calls > 0) {
        const double a = aisp_median_or_zero(once, (size_t)n_once), b = aisp_median_or_zero(half, (size_t)n_half);

        r.n = n_once < n_half ? n_once : n_half;
        r.usual_ns = aisp_median_or_zero(usual, (size_t)n_usual);
        r.once_ns = (a - b) / (double)calls;
        r.error_ns = hypot(median_error(once, n_once, a), median_error(half, n_half, b)) / (double)calls;
    }
    free(once);
    free(half);
    free(usual);
    return r;
}

double aisp_floor_ns(const struct aisp_evidence *ev)
{
    const double gbps = aisp_evidence_roof_gbps(ev);
    double bytes_ns = 0, flops_ns = 0;

    if (gbps > 0)
        bytes_ns = (double)ev->bytes / gbps;
    if (ev->flops_is_floor && ev->calibration.peak_f32_gflops > 0)
        flops_ns = (double)ev->flops / (ev->calibration.peak_f32_gflops * ev->n_threads);
    return fmax(bytes_ns, flops_ns);
}

/* Slots beyond the L2 are not primed before a window: those that the judge has just filled then come from farther away than
 * those that were used before, by as much as their bytes cost there; twice that is allowed. */
double aisp_cold_call_ns(const struct aisp_evidence *ev)
{
    const double l3_gbps = ev->calibration.peak_read_gbps[2], dram_gbps = ev->calibration.peak_read_gbps[3];
    const double gbps = dram_gbps > 0 ? fmin(dram_gbps, l3_gbps > 0 ? l3_gbps : dram_gbps) : 5;

    return ev->working_set_bytes <= ev->before.l2_bytes ? 0 : 2 * (double)ev->bytes / gbps;
}
