/* distribution.c - samples into series. */
#include "commands/runs/distribution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/stats/stats.h"

enum { BINS = 60, GROUPS = 60 };

struct series { double *ns, *sorted; size_t n; };

static struct series series_of(const struct aisp_evidence *ev, enum aisp_side side)
{
    struct series s = { 0 };

    s.ns = aisp_evidence_samples(ev, side, &s.n);
    s.sorted = aisp_xcalloc(s.n + 1, sizeof *s.sorted);
    if (!s.n)
        return s;
    memcpy(s.sorted, s.ns, s.n * sizeof *s.sorted);
    aisp_sort(s.sorted, s.n);
    return s;
}

/* Edges that hold nearly all windows of both sides: few slow ones must not squeeze the rest into one bin. */
static bool edges_of(const struct series *s, double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = -INFINITY;
    for (int side = AISP_A; side <= AISP_B; side++) {
        if (!s[side].n)
            continue;
        *lo = fmin(*lo, aisp_quantile_sorted(s[side].sorted, s[side].n, 0.005));
        *hi = fmax(*hi, aisp_quantile_sorted(s[side].sorted, s[side].n, 0.99));
    }
    if (!isfinite(*lo) || !isfinite(*hi))
        return false;
    if (!(*hi > *lo))
        *hi = *lo * (1 + 1e-6) + 1e-9;
    return true;
}

static json_t *counts_of(const struct series *s, double lo, double hi, json_int_t *below, json_int_t *above)
{
    json_int_t count[BINS] = { 0 };
    json_t *list = json_array();

    for (size_t i = 0; i < s->n; i++) {
        const int bin = s->ns[i] >= hi ? BINS - 1 : (int)(BINS * (s->ns[i] - lo) / (hi - lo));

        *below += s->ns[i] < lo;
        *above += s->ns[i] > hi;
        if (s->ns[i] >= lo && s->ns[i] <= hi)
            count[bin]++;
    }
    for (int i = 0; i < BINS; i++)
        json_array_append_new(list, json_integer(count[i]));
    return list;
}

/* Medians of neighbours in the order of the run. */
static json_t *drift_of(const struct series *s)
{
    const size_t n_groups = s->n < GROUPS ? s->n : GROUPS;
    json_t *list = json_array();

    for (size_t i = 0; i < n_groups; i++) {
        const size_t from = s->n * i / n_groups, to = s->n * (i + 1) / n_groups;
        double median;

        if (!aisp_median(s->ns + from, to - from, &median, NULL))
            json_array_append_new(list, json_real(median));
    }
    return list;
}

static json_t *side_of(const struct series *s, double lo, double hi)
{
    struct aisp_quantiles q;
    json_int_t below = 0, above = 0;
    json_t *counts;

    if (!s->n || aisp_quantiles_of(s->ns, s->n, &q, NULL))
        return json_null();
    counts = counts_of(s, lo, hi, &below, &above);
    return json_pack("{s:I, s:f, s:f, s:f, s:f, s:o, s:I, s:I, s:o}", "n", (json_int_t)q.n, "p5_ns", q.p5, "p50_ns", q.p50,
                     "p95_ns", q.p95, "p99_ns", q.p99, "counts", counts, "below", below, "above", above, "drift_ns",
                     drift_of(s));
}

static json_t *pairs_of(const struct aisp_evidence *ev)
{
    json_t *list = json_array();
    double *m = NULL;
    int n = 0, n_control = 0;

    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    for (int i = 0; i < n; i++)
        json_array_append_new(list, json_real(exp(m[i])));
    free(m);
    return list;
}

static const char *trouble_of(const struct aisp_evidence *ev)
{
    char chain[65];

    aisp_evidence_chain(ev, chain);
    return *ev->chain && strcmp(chain, ev->chain)
               ? "the recorded windows do not match their hash chain: they were changed after the run"
               : "";
}

json_t *aisp_distribution_of(const struct aisp_evidence *ev, bool is_withheld)
{
    struct series s[2] = { series_of(ev, AISP_A), { 0 } };
    double lo, hi;
    json_t *json;

    if (!is_withheld)
        s[AISP_B] = series_of(ev, AISP_B);
    if (edges_of(s, &lo, &hi))
        json = json_pack("{s:o, s:o, s:f, s:f, s:o, s:s}", "a", side_of(&s[AISP_A], lo, hi), "b", side_of(&s[AISP_B], lo, hi),
                         "lo_ns", lo, "hi_ns", hi, "pair_ratios", is_withheld ? json_array() : pairs_of(ev), "trouble",
                         trouble_of(ev));
    else
        json =
            json_pack("{s:n, s:n, s:n, s:n, s:[], s:s}", "a", "b", "lo_ns", "hi_ns", "pair_ratios", "trouble", trouble_of(ev));
    for (int side = AISP_A; side <= AISP_B; side++) {
        free(s[side].ns);
        free(s[side].sorted);
    }
    return json;
}

json_t *aisp_roofline_of(const struct aisp_evidence *ev, bool is_withheld)
{
    const double gbps = aisp_evidence_roof_gbps(ev), peak = aisp_evidence_roof_gflops(ev);
    double median = NAN, intensity, roof, *ns;
    size_t n;

    if (is_withheld || !(gbps > 0) || !(peak > 0) || ev->bytes <= 0 || ev->flops <= 0)
        return json_null();
    ns = aisp_evidence_samples(ev, AISP_B, &n);
    if (n && aisp_median(ns, n, &median, NULL))
        median = NAN;
    free(ns);
    if (!(median > 0))
        return json_null();
    intensity = (double)ev->flops / (double)ev->bytes;
    roof = fmin(peak, intensity * gbps);
    return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:s}", "flops_per_byte", intensity, "ridge", peak / gbps, "gflops",
                     (double)ev->flops / median, "roof_gflops", roof, "peak_gflops", peak, "peak_gbps", gbps, "bound",
                     intensity * gbps < peak ? "bytes" : "flops");
}
