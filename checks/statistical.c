/* statistical.c - are the samples what they seem: complete, random, enough, and the same on both sides? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/check.h"
#include "checks/samples.h"
#include "core/base/buf.h"
#include "core/base/sort.h"
#include "core/goal.h"
#include "core/stats/stats.h"

/* The best of n attempts is as surprising as one attempt at a level n times stricter. */
static bool holds_as_best_of(const struct aisp_evidence *ev, int64_t attempts)
{
    enum { LOOKS = 6 };
    struct aisp_estimate e;
    double *m = NULL;
    int n = 0, n_control;
    bool holds;

    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    holds = n > 0 &&
            aisp_estimate_pairs(m, (size_t)n, 0.01 / LOOKS / (double)attempts, &e, NULL) == AISP_OK &&
            e.ci.exists && (e.ci.lo > 0 || e.ci.hi < 0);
    free(m);
    return holds;
}

static void best_of_many(const struct aisp_check *self, const struct aisp_evidence *ev,
                         struct aisp_findings *out)
{
    const struct aisp_claim *claim = &ev->machine.claim;
    const bool is_answer = !strcmp(claim->verdict, "FASTER") || !strcmp(claim->verdict, "SLOWER");

    if (claim->attempt > 0 && claim->attempt != claim->attempts_before + 1)
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "this is attempt %lld at the same code, and the ledger has %lld before it: attempts were left out",
                  (long long)claim->attempt, (long long)claim->attempts_before);
    if (claim->chosen_of > 1 && is_answer && !holds_as_best_of(ev, claim->chosen_of))
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "%s is the best of %lld attempts, and %d pairs cannot carry it as that: run it afresh", claim->verdict,
                  (long long)claim->chosen_of, claim->n_pairs);
    else if (claim->chosen_of > 1)
        aisp_find(out, self, AISP_NOTE, -1, "the best of %lld attempts", (long long)claim->chosen_of);
}

static void cherry_picking(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    char chain[65];

    aisp_evidence_chain(ev, chain);
    if (*ev->chain && strcmp(chain, ev->chain))
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the hash over all %zu windows is %.12s..., the record says %.12s...: samples were changed or left out",
                  ev->n_windows, chain, ev->chain);
    best_of_many(self, ev, out);
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

/* Share of a side's timed windows that took over 1.5 times its lower quartile: half of them may be slow, and the median with
 * them. Only of those in which no other process ran: what a neighbour makes slow accuses nobody, and a sleep is no such switch. */
static double slow_share(const struct aisp_evidence *ev, enum aisp_side side, size_t *n)
{
    double *x = aisp_xmalloc((ev->n_windows + 1) * sizeof *x), quartile;
    size_t slow = 0;

    *n = 0;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (aisp_window_is_timed_of(ev, w, side) && w->calls > 0 && w->involuntary_switches == 0)
            x[(*n)++] = (double)w->window_ns / (double)w->calls;
    }
    aisp_sort(x, *n);
    quartile = *n ? aisp_quantile_sorted(x, *n, 0.25) : 0;
    for (size_t i = 0; i < *n; i++)
        slow += x[i] > 1.5 * quartile;
    free(x);
    return *n ? (double)slow / (double)*n : 0;
}

/* Share of a side's timed windows in which it gave its core away by itself: a call that only computes never does. */
static double sleeping_share(const struct aisp_evidence *ev, enum aisp_side side, size_t *n)
{
    size_t slept = 0;

    *n = 0;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (!aisp_window_is_timed_of(ev, w, side))
            continue;
        (*n)++;
        slept += w->voluntary_switches > 0;
    }
    return *n ? (double)slept / (double)*n : 0;
}

/* May its calls wait? For threads of their own, for a library's, for the system, for a disk, for the next request. On a card
 * nearly everything that has to be declared can let a call wait for it. */
static bool may_wait(const struct aisp_evidence *ev, enum aisp_side side)
{
    static const char *const words[] = { "threads", "library", "io_uring" };
    const struct aisp_declaration *decl = &ev->variant[side].decl;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (aisp_declaration_uses(decl, words[i]))
            return true;
    return *ev->files.pages || aisp_goal_is_served(ev) || (*ev->limits.card && *decl->uses);
}

/* A reference that sleeps now and then, where the other side hardly ever does, is made slow; and if it sleeps in most windows, no
 * median helps against that. Says whether it found something. */
static bool sleeping_reference(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    size_t n_a, n_b;
    const double a = sleeping_share(ev, AISP_A, &n_a), b = sleeping_share(ev, AISP_B, &n_b);
    const bool most = a > 0.5 && b < 0.05;

    if (n_a < 20 || n_b < 20 || a < 0.08 || a < 4 * b || may_wait(ev, AISP_A))
        return false;
    aisp_find(out, self, most ? AISP_VIOLATION : AISP_DEVELOPMENT, AISP_A,
              "%s went to sleep in %.0f %% of its windows, %s in %.1f %%: %s", ev->variant[AISP_A].name, 100 * a,
              ev->variant[AISP_B].name, 100 * b,
              most ? "the reference waits instead of working" : "slow outliers on one side only");
    return true;
}

static void outlier_injection(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    size_t n_a, n_b;
    const double a = slow_share(ev, AISP_A, &n_a), b = slow_share(ev, AISP_B, &n_b);

    if (!sleeping_reference(self, ev, out) && n_a >= 40 && n_b >= 40 && a > 0.08 && a > 4 * b)
        aisp_find(out, self, AISP_DEVELOPMENT, AISP_A,
                  "%.0f %% of the windows of %s took over 1.5 times its lower quartile, %.1f %% of those of %s: slow outliers on one side only; "
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
    .severity = AISP_VIOLATION,
    .rank = 20,
    .examine = outlier_injection,
};

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The largest step of which all timed windows of a side are multiples, in ns; and the quickest of them. */
static int64_t common_step_ns(const struct aisp_evidence *ev, int side, size_t *n, int64_t *quickest_ns)
{
    int64_t step = 0;

    *n = 0;
    *quickest_ns = INT64_MAX;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (!aisp_window_is_timed_of(ev, w, side) || w->window_ns <= 0)
            continue;
        step = common_divisor(w->window_ns, step);
        *quickest_ns = w->window_ns < *quickest_ns ? w->window_ns : *quickest_ns;
        (*n)++;
    }
    return step;
}

/* A clock has a step, which calibration knows; times in steps a hundred times as coarse were rounded by somebody. Where all are one
 * step, they are the same time, and nothing is known of rounding. */
static void quantised(const struct aisp_check *self, const struct aisp_evidence *ev, int side, struct aisp_findings *out)
{
    const double clock_ns = ev->calibration.clock_step_ns > 1 ? ev->calibration.clock_step_ns : 1;
    int64_t quickest_ns;
    size_t n;
    const int64_t step_ns = common_step_ns(ev, side, &n, &quickest_ns);

    if (n >= 20 && (double)step_ns >= 100 * clock_ns && step_ns < quickest_ns)
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: all of %zu windows are multiples of %lld ns, where the clock steps by %.0f: times were rounded",
                  ev->variant[side].name, n, (long long)step_ns, clock_ns);
}

/* Real windows hardly ever take the same number of nanoseconds. */
static void variance_gaming(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        size_t n, most = 0, run = 0;
        double *x = aisp_evidence_samples(ev, (enum aisp_side)side, &n);

        aisp_sort(x, n);
        for (size_t i = 0; i < n; i++) {
            run = i && x[i] == x[i - 1] ? run + 1 : 1;
            most = run > most ? run : most;
        }
        quantised(self, ev, side, out); /* first: it is why many are the same */
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
    .title = "Times without spread, or in steps coarser than the clock, are refused",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 26,
    .examine = variance_gaming,
};

enum { PAIRS_LEAST = 12 };

static void insufficient_samples(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_claim *claim = &ev->machine.claim;
    const bool is_answer = *claim->verdict && strcmp(claim->verdict, "UNSURE");
    double *m = NULL;
    int n = 0, n_control = 0;

    if (*claim->unfinished)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "what was to follow the pairs failed: %s", claim->unfinished);
    if (ev->goal == AISP_MEMORY) /* bytes are proven, not sampled */
        return;
    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    free(m);
    if (is_answer && n < PAIRS_LEAST)
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the record says %s of %d pairs, and holds %d: a verdict needs %d, below it is UNSURE", claim->verdict,
                  claim->n_pairs, n, PAIRS_LEAST);
    else if (n > 0 && n < PAIRS_LEAST)
        aisp_find(out, self, AISP_NOTE, -1, "%d pairs are fewer than the 12 that a verdict needs: UNSURE; allow more time", n);
}

AISP_CHECK(insufficient_samples_check) = {
    .issue = 84,
    .name = "insufficient-samples",
    .family = "statistical",
    .title = "Fewer than 12 pairs of processes never give a verdict",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 24,
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
    if (ev->machine.card.n_processes > 0)
        aisp_find(out, self, AISP_DEVELOPMENT, -1, "%d other processes compute on the card", ev->machine.card.n_processes);
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
