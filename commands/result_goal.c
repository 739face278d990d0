/* result_goal.c - the figure of goals that are not the time of a call, with its interval and what stands beside it.
 * Not here: the ratio and the verdict, which every goal has (result.c).
 * The interval of one side's percentile is that of its order statistics: of this run's calls, not of other processes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands/result.h"
#include "core/goal.h"

static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *pair_of(const double x[2], bool is_withheld)
{
    return json_pack("{s:o, s:o}", "a", real_or_null(x[AISP_A]), "b",
                     real_or_null(is_withheld ? NAN : x[AISP_B]));
}

/* Median, 99th percentile and the interval of the latter, ns. */
struct described {
    double p50[2], p99[2], lo[2], hi[2];
};

static struct described describe(const struct aisp_evidence *ev, enum aisp_described what)
{
    struct described d;

    for (int side = AISP_A; side <= AISP_B; side++) {
        struct aisp_interval interval = { false, NAN, NAN };
        struct aisp_quantiles q = { 0, NAN, NAN, NAN, NAN };
        size_t n;
        double *x = aisp_goal_samples(ev, (enum aisp_side)side, what, &n);

        if (n && aisp_quantiles_of(x, n, &q, NULL) == AISP_OK)
            aisp_quantile_interval(x, n, 0.99, 0.05, &interval, NULL);
        d.p50[side] = q.p50;
        d.p99[side] = q.p99;
        d.lo[side] = interval.exists ? interval.lo : NAN;
        d.hi[side] = interval.exists ? interval.hi : NAN;
        free(x);
    }
    return d;
}

static json_t *described_json(const struct aisp_evidence *ev, enum aisp_described what,
                              bool is_withheld)
{
    const struct described d = describe(ev, what);

    return json_pack("{s:o, s:o, s:o, s:o}", "median_ns", pair_of(d.p50, is_withheld), "p99_ns",
                     pair_of(d.p99, is_withheld), "lo95_ns", pair_of(d.lo, is_withheld), "hi95_ns",
                     pair_of(d.hi, is_withheld));
}

static json_t *served(const struct aisp_evidence *ev, bool is_withheld)
{
    double share[2], per_second[2];

    for (int side = AISP_A; side <= AISP_B; side++)
        aisp_goal_goodput(ev, (enum aisp_side)side, &share[side], &per_second[side]);
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "figure",
        ev->service.figure == 2 ? "p99 of TPOT" : "p99 of TTFT", "ttft",
        described_json(ev, AISP_OF_TTFT, is_withheld), "tpot",
        described_json(ev, AISP_OF_TPOT, is_withheld), "goodput_share", pair_of(share, is_withheld),
        "goodput_per_second", pair_of(per_second, is_withheld), "offered_per_second",
        (json_int_t)ev->service.per_second, "ttft_slo_ns", (json_int_t)ev->service.ttft_slo_ns,
        "stamps_off", real_or_null(expm1(aisp_goal_slack(ev))));
}

static json_t *bytes(const struct aisp_evidence *ev, bool is_withheld)
{
    double cap[2], low[2], loaded[2], time[2];
    bool proven = true;
    json_t *value;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_footprint *f = &ev->footprint[side];

        low[side] = cap[side] = f->n_repeats ? (double)f->cap_bytes : NAN;
        loaded[side] = f->n_repeats ? (double)f->loaded_bytes : NAN;
        for (int i = 0; i < f->n_repeats; i++)
            low[side] = fmin(low[side], (double)f->peak_bytes[i]);
        proven &= f->n_proofs == AISP_FOOTPRINT_PROOFS && f->n_proven == f->n_proofs;
        time[side] = describe(ev, AISP_OF_CALLS).p50[side];
    }
    value = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "figure", "peak bytes", "bytes",
                      pair_of(cap, is_withheld || !proven), "least_bytes",
                      pair_of(low, is_withheld || !proven), "loaded_bytes",
                      pair_of(loaded, is_withheld), "proven", json_boolean(proven), "median_ns",
                      pair_of(time, is_withheld));
    return value;
}

json_t *aisp_result_goal(const struct aisp_evidence *ev, int64_t units, bool is_withheld)
{
    double rate[2];
    json_t *value;

    switch (ev->goal) {
    case AISP_LATENCY:
        if (aisp_goal_is_served(ev))
            return served(ev, is_withheld);
        value = described_json(ev, AISP_OF_CALLS, is_withheld);
        json_object_set_new(value, "figure", json_string("p99 of calls"));
        return value;
    case AISP_THROUGHPUT:
        for (int side = AISP_A; side <= AISP_B; side++)
            rate[side] = aisp_goal_calls_per_second(ev, (enum aisp_side)side) *
                         (double)(units > 0 ? units : 1);
        value = described_json(ev, AISP_OF_CALLS, is_withheld);
        json_object_set_new(value, "figure", json_string("units a second over the run"));
        json_object_set_new(value, "rate", pair_of(rate, is_withheld));
        return value;
    case AISP_MEMORY:
        return bytes(ev, is_withheld);
    case AISP_SPEED:
        break;
    }
    return json_null();
}

/* ---- as text ---- */

static double number(const json_t *object, const char *key, const char *side)
{
    const json_t *value = json_object_get(json_object_get(object, key), side);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* "p99 41.2 us [40.1 us, 44.0 us], median 20.1 us" */
static void put_described(const json_t *d, const char *side, struct aisp_buf *out)
{
    const double p99 = number(d, "p99_ns", side), lo = number(d, "lo95_ns", side);

    if (!isfinite(p99)) {
        aisp_buf_puts(out, "-");
        return;
    }
    aisp_buf_puts(out, "p99 ");
    aisp_result_put_time(out, p99);
    if (isfinite(lo)) {
        aisp_buf_puts(out, " [");
        aisp_result_put_time(out, lo);
        aisp_buf_puts(out, ", ");
        aisp_result_put_time(out, number(d, "hi95_ns", side));
        aisp_buf_puts(out, "]");
    }
    aisp_buf_puts(out, ", median ");
    aisp_result_put_time(out, number(d, "median_ns", side));
}

static void put_both(const char *name, const json_t *d, struct aisp_buf *out)
{
    aisp_buf_printf(out, "   %s: ", name);
    put_described(d, "b", out);
    aisp_buf_puts(out, "\n      reference: ");
    put_described(d, "a", out);
    aisp_buf_puts(out, "\n");
}

static void put_served(const json_t *goal, struct aisp_buf *out)
{
    const json_t *off = json_object_get(goal, "stamps_off");

    put_both("TTFT", json_object_get(goal, "ttft"), out);
    put_both("TPOT", json_object_get(goal, "tpot"), out);
    aisp_buf_printf(
        out, "   goodput: %.1f %% and %.0f/s inside the objective, reference %.1f %% and %.0f/s",
        100 * number(goal, "goodput_share", "b"), number(goal, "goodput_per_second", "b"),
        100 * number(goal, "goodput_share", "a"), number(goal, "goodput_per_second", "a"));
    if (json_is_number(off))
        aisp_buf_printf(out, "; stamps within %.1f %%", 100 * json_number_value(off));
    aisp_buf_puts(out, "\n");
}

static void put_bytes(const json_t *goal, struct aisp_buf *out)
{
    const double a = number(goal, "bytes", "a"), b = number(goal, "bytes", "b");

    if (isfinite(a) && isfinite(b)) {
        aisp_buf_printf(out, "   memory: %.1f KiB, reference %.1f KiB, both proven as limits; time ", b / 1024, a / 1024);
        aisp_result_put_time(out, number(goal, "median_ns", "b"));
        aisp_buf_puts(out, ", reference ");
        aisp_result_put_time(out, number(goal, "median_ns", "a"));
        aisp_buf_puts(out, "\n");
    } else if (json_is_false(json_object_get(goal, "proven")))
        aisp_buf_puts(out, "   memory: not proven as a limit, so no figure\n");
}

void aisp_result_goal_render(const json_t *row, struct aisp_buf *out)
{
    const json_t *goal = json_object_get(row, "goal_figure");

    if (json_object_get(goal, "ttft"))
        put_served(goal, out);
    else if (json_object_get(goal, "rate"))
        aisp_buf_printf(out, "   %.4g units/s over the run, reference %.4g\n",
                        number(goal, "rate", "b"), number(goal, "rate", "a"));
    else if (json_object_get(goal, "bytes"))
        put_bytes(goal, out);
    if (json_object_get(goal, "p99_ns"))
        put_both("calls", goal, out);
}
