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

enum { SLACK_WINDOWS = 5 };          /* quiet ones, below which a process cannot be judged */

bool aisp_window_is_timed_of(const struct aisp_evidence *ev, const struct aisp_window *w, int side)
{
    return w->kind == AISP_WINDOW_TIMED && w->side == side && !aisp_evidence_is_control(ev, w->pair);
}

bool aisp_window_is_quiet(const struct aisp_window *w)
{
    return w->involuntary_switches == 0;
}

/* Picks from windows of a side and kind, of one pair or (pair -1) of all but controls; returns how many. `quiet` leaves out
 * windows in which the worker or the supervisor was put aside for another process: their length says nothing about either. */
static int collect(const struct aisp_evidence *ev, enum aisp_side side, int kind, int pair, bool quiet, pick_fn *pick, double *to)
{
    int n = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->side == (int)side && w->kind == kind && w->calls > 0 && (!quiet || aisp_window_is_quiet(w)) &&
            (pair < 0 ? !aisp_evidence_is_control(ev, w->pair) : w->pair == pair))
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

struct aisp_slack aisp_slack(const struct aisp_evidence *ev, enum aisp_side side)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x), *process = aisp_xmalloc((ev->n_pairs + 1) * sizeof *process);
    struct aisp_slack slack = { 0, 0 };

    for (size_t p = 0; p < ev->n_pairs; p++) {
        const int n = collect(ev, side, AISP_WINDOW_TIMED, ev->pair[p].pair, true, pick_slack, x);

        if (n >= SLACK_WINDOWS && !ev->pair[p].is_control)   /* in a control both sides are the reference */
            process[slack.n_processes++] = aisp_median_or_zero(x, (size_t)n);
    }
    slack.median_ns = aisp_median_or_zero(process, (size_t)slack.n_processes);
    free(process);
    free(x);
    return slack;
}

double aisp_floor_ns(const struct aisp_evidence *ev)
{
    const struct aisp_calibration *cal = &ev->calibration;
    const double gbps = aisp_evidence_roof_gbps(ev);
    /* Whatever is the fastest that its inputs could be multiplied in. */
    const double peak = fmax(cal->peak_f32_gflops, aisp_calibration_peak(cal, (enum aisp_dtype)ev->arithmetic));
    double bytes_ns = 0, flops_ns = 0;

    if (gbps > 0)
        bytes_ns = (double)ev->bytes / gbps;
    if (ev->flops_is_floor && peak > 0)
        flops_ns = (double)ev->flops / (peak * ev->n_threads * (ev->ranks.n_ranks > 1 ? ev->ranks.n_ranks : 1));
    return fmax(bytes_ns, flops_ns);
}
