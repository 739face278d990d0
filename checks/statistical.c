/* statistical.c - are the samples what they seem: complete, random, enough, and the same on both sides? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/check.h"
#include "checks/samples.h"
#include "core/base/buf.h"

static void cherry_picking(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    char chain[65];

    aisp_evidence_chain(ev, chain);
    if (*ev->chain && strcmp(chain, ev->chain))
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the hash over all %zu windows is %.12s..., the record says %.12s...: samples were changed or left out",
                  ev->n_windows, chain, ev->chain);
}

AISP_CHECK(cherry_picking_check) = {
    .issue = 80,
    .name = "cherry-picking",
    .family = "statistical",
    .title = "All windows are kept, in a hash chain: none can be left out later",
    .needs = "cpu",
    .incident = "private testing of many variants before one was published, 2025",
    .severity = AISP_VIOLATION,
    .rank = 25,
    .examine = cherry_picking,
};

/* Share of a side's timed windows that took over 1.5 medians. Only of those in which no other process ran: what a
 * neighbour makes slow accuses nobody, and a sleep is no such switch. */
static double slow_share(const struct aisp_evidence *ev, enum aisp_side side, size_t *n)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x), median;
    size_t slow = 0;

    *n = 0;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->side == (int)side && w->kind == AISP_WINDOW_TIMED && w->calls > 0 && w->involuntary_switches == 0)
            x[(*n)++] = (double)w->window_ns / (double)w->calls;
    }
    median = aisp_median_or_zero(x, *n);
    for (size_t i = 0; i < *n; i++)
        slow += x[i] > 1.5 * median;
    free(x);
    return *n ? (double)slow / (double)*n : 0;
}

static void outlier_injection(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    size_t n_a, n_b;
    const double a = slow_share(ev, AISP_A, &n_a), b = slow_share(ev, AISP_B, &n_b);

    if (n_a >= 40 && n_b >= 40 && a > 0.08 && a > 4 * b)
        aisp_find(out, self, AISP_DEVELOPMENT, AISP_A,
                  "%.0f %% of the windows of %s took over 1.5 medians, %.1f %% of those of %s: slow outliers on one side only; "
                  "the median is what is compared",
                  100 * a, ev->variant[AISP_A].name, 100 * b, ev->variant[AISP_B].name);
}

AISP_CHECK(outlier_injection_check) = {
    .issue = 81,
    .name = "outlier-injection",
    .family = "statistical",
    .title = "Medians over interleaved blocks ignore outliers, and outliers on the reference alone are reported",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 20,
    .examine = outlier_injection,
};

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Real windows hardly ever take the same number of nanoseconds. */
static void variance_gaming(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        size_t n, most = 0, run = 0;
        double *x = aisp_evidence_samples(ev, (enum aisp_side)side, &n);

        qsort(x, n, sizeof *x, by_value);
        for (size_t i = 0; i < n; i++) {
            run = i && x[i] == x[i - 1] ? run + 1 : 1;
            most = run > most ? run : most;
        }
        if (n >= 20 && most * 3 > n)
            aisp_find(out, self, AISP_VIOLATION, side, "%s: %zu of %zu windows have exactly the same time: not a measurement",
                      ev->variant[side].name, most, n);
        free(x);
    }
}

AISP_CHECK(variance_gaming_check) = {
    .issue = 82,
    .name = "variance-gaming",
    .family = "statistical",
    .title = "Times without spread are refused",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 26,
    .examine = variance_gaming,
};

static void insufficient_samples(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    double *m = NULL;
    int n = 0, n_control = 0;

    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    free(m);
    if (n > 0 && n < 12)
        aisp_find(out, self, AISP_NOTE, -1, "%d pairs are fewer than the 12 that a verdict needs: UNSURE; allow more time", n);
}

AISP_CHECK(insufficient_samples_check) = {
    .issue = 84,
    .name = "insufficient-samples",
    .family = "statistical",
    .title = "Fewer than 12 pairs of processes never give a verdict",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_NOTE,
    .rank = 10,
    .examine = insufficient_samples,
};

static void background_noise(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    int64_t disturbed = 0, timed = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        timed += ev->window[i].kind == AISP_WINDOW_TIMED;
        disturbed += ev->window[i].kind == AISP_WINDOW_TIMED && aisp_window_is_disturbed(&ev->window[i]);
    }
    if (timed >= 20 && disturbed * 5 > timed)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "in %lld of %lld windows another process ran on the measuring or the supervisor's core",
                  (long long)disturbed, (long long)timed);
    if (ev->before.steal_ticks >= 0 && ev->after.steal_ticks - ev->before.steal_ticks > 50)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "the host took %lld ticks of CPU time from this machine during the run",
                  (long long)(ev->after.steal_ticks - ev->before.steal_ticks));
}

AISP_CHECK(background_noise_check) = {
    .issue = 87,
    .name = "background-noise",
    .family = "statistical",
    .title = "Other work on the measuring core is counted and makes the result a development one",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 22,
    .examine = background_noise,
};
