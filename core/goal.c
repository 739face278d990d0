/* goal.c - the figures of the goals that are not the time of a call. */
#include "core/goal.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/stats/stats.h"

/* A figure out of the tail is coarser than a median: what counts as a difference, and as none. */
static const double LATENCY_FLOOR = 0.01, LATENCY_BAND = 0.05, RATE_BAND = 0.01;

bool aisp_goal_is_served(const struct aisp_evidence *ev)
{
    return ev->service.process != 0;
}

bool aisp_goal_is_single(enum aisp_goal goal)
{
    return goal == AISP_LATENCY;
}

double aisp_goal_floor(enum aisp_goal goal, double floor)
{
    return goal == AISP_LATENCY ? fmax(floor, LATENCY_FLOOR) : floor;
}

double aisp_goal_band(enum aisp_goal goal, double band)
{
    return goal == AISP_LATENCY      ? fmax(band, LATENCY_BAND)
           : goal == AISP_THROUGHPUT ? fmax(band, RATE_BAND)
                                     : band;
}

/* Which windows a figure is made of. */
struct choice {
    int side;
    int32_t pair; /* -1: all but controls */
    enum aisp_window_kind kind;
};

static bool is_chosen(const struct aisp_evidence *ev, const struct choice *c, int32_t pair)
{
    return c->pair >= 0 ? pair == c->pair : !aisp_evidence_is_control(ev, pair);
}

static size_t take_calls(const struct aisp_evidence *ev, const struct choice *c, double *x)
{
    size_t n = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->kind == (int)c->kind && w->side == c->side && w->calls > 0 && w->window_ns > 0 &&
            is_chosen(ev, c, w->pair))
            x[n++] = (double)w->window_ns / (double)w->calls;
    }
    return n;
}

/* A request that is not served in full has no latency: it is a violation, and nothing is printed. */
static bool latency_of(const struct aisp_request_times *t, enum aisp_described what, double *ns)
{
    if (t->n_tokens < 1 || (what == AISP_OF_TPOT && t->n_tokens < 2))
        return false;
    *ns = what == AISP_OF_TTFT ? (double)(t->first_ns - t->due_ns)
                               : (double)(t->last_ns - t->first_ns) / (t->n_tokens - 1);
    *ns = fmax(*ns, 1); /* two tokens at one look */
    return true;
}

static size_t take_requests(const struct aisp_evidence *ev, const struct choice *c,
                            enum aisp_described what, double *x)
{
    size_t n = 0;

    for (size_t i = 0; i < ev->service.n_traces; i++) {
        const struct aisp_trace *t = &ev->service.trace[i];

        if (t->side != c->side || t->kind != (int)c->kind || !is_chosen(ev, c, t->pair))
            continue;
        for (int32_t k = 0; k < t->n_requests; k++)
            n += latency_of(&ev->service.times[t->first + k], what, &x[n]);
    }
    return n;
}

static double *take(const struct aisp_evidence *ev, const struct choice *c,
                    enum aisp_described what, size_t *n)
{
    const size_t room = what == AISP_OF_CALLS ? ev->n_windows : ev->service.n_times;
    double *x = aisp_xcalloc(room + 1, sizeof *x);

    *n = what == AISP_OF_CALLS ? take_calls(ev, c, x) : take_requests(ev, c, what, x);
    return x;
}

double *aisp_goal_samples(const struct aisp_evidence *ev, enum aisp_side side,
                          enum aisp_described what, size_t *n)
{
    const struct choice c = { side, -1, AISP_WINDOW_TIMED };

    return take(ev, &c, what, n);
}

static enum aisp_described compared(const struct aisp_evidence *ev)
{
    return !aisp_goal_is_served(ev)  ? AISP_OF_CALLS
           : ev->service.figure == 2 ? AISP_OF_TPOT
                                     : AISP_OF_TTFT;
}

static bool p99_of(const struct aisp_evidence *ev, const struct choice *c, double *p99)
{
    struct aisp_quantiles q;
    size_t n;
    double *x = take(ev, c, compared(ev), &n);
    const bool known = n >= AISP_GOAL_LEAST_SAMPLES && aisp_quantiles_of(x, n, &q, NULL) == AISP_OK;

    if (known)
        *p99 = q.p99;
    free(x);
    return known;
}

static bool total_of(const struct aisp_evidence *ev, const struct choice *c, double *ns)
{
    size_t n;
    double *x = take(ev, c, AISP_OF_CALLS, &n);

    *ns = 0;
    for (size_t i = 0; i < n; i++)
        *ns += x[i] / (double)n;
    free(x);
    return n > 0;
}

bool aisp_goal_pair(const struct aisp_evidence *ev, int32_t pair, enum aisp_window_kind kind,
                    double *estimate)
{
    const struct choice a = { AISP_A, pair, kind }, b = { AISP_B, pair, kind };
    double x, y;

    if (ev->goal == AISP_LATENCY ? !p99_of(ev, &a, &x) || !p99_of(ev, &b, &y)
                                 : !total_of(ev, &a, &x) || !total_of(ev, &b, &y))
        return false;
    *estimate = log(x / y);
    return isfinite(*estimate);
}

double aisp_goal_slack(const struct aisp_evidence *ev)
{
    double worst = 0;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct choice c = { side, -1, AISP_WINDOW_TIMED };
        double *off = aisp_xcalloc(ev->service.n_traces + 1, sizeof *off), p99;
        size_t n = 0;

        for (size_t i = 0; i < ev->service.n_traces; i++)
            if (ev->service.trace[i].side == side && ev->service.trace[i].kind == AISP_WINDOW_TIMED)
                off[n++] = (double)(ev->service.trace[i].late_ns + ev->service.trace[i].blur_ns);
        aisp_sort(off, n);
        if (n && p99_of(ev, &c, &p99))
            worst = fmax(worst, log1p(aisp_quantile_sorted(off, n, 0.5) / p99));
        free(off);
    }
    return worst;
}

void aisp_goal_goodput(const struct aisp_evidence *ev, enum aisp_side side, double *share,
                       double *per_second)
{
    const struct aisp_service *s = &ev->service;
    double kept = 0, all = 0, span_ns = 0, ttft, tpot;

    for (size_t i = 0; i < s->n_traces; i++) {
        const struct aisp_trace *t = &s->trace[i];

        if (t->side != (int)side || t->kind != AISP_WINDOW_TIMED || aisp_evidence_is_control(ev, t->pair))
            continue;
        for (int32_t k = 0; k < t->n_requests; k++) {
            const struct aisp_request_times *r = &s->times[t->first + k];

            if (latency_of(r, AISP_OF_TTFT, &ttft) && ttft <= (double)s->ttft_slo_ns)
                kept += !latency_of(r, AISP_OF_TPOT, &tpot) || tpot <= (double)s->tpot_slo_ns;
        }
        all += t->n_requests;
        span_ns += (double)t->span_ns;
    }
    *share = all > 0 ? kept / all : NAN;
    *per_second = span_ns > 0 ? kept * 1e9 / span_ns : NAN;
}

double aisp_goal_calls_per_second(const struct aisp_evidence *ev, enum aisp_side side)
{
    const struct choice c = { side, -1, AISP_WINDOW_TIMED };
    double ns;

    return total_of(ev, &c, &ns) ? 1e9 / ns : NAN;
}
