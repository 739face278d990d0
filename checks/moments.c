/* moments.c - did both sides have the same moments? A process that is still cold, one that gives
 * its memory back in every window, a neighbour that works only while the other side is timed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/check.h"
#include "checks/samples.h"
#include "core/base/buf.h"
#include "core/stats/stats.h"

static bool is_timed_of(const struct aisp_window *w, int pair, int side)
{
    return w->pair == pair && w->side == side && w->kind == AISP_WINDOW_TIMED && w->calls > 0;
}

/* ---- 85 ---- */

enum { WINDOWS_LEAST = 8, QUIET_LEAST = 2 };
/* On a crowded virtual machine whose memory grows as it is used two of 2,742 comparisons of three pairs each had a side of which all
 * three processes drifted: one process in 14, since each side had the chance. An eighth is nearly twice that. Noise clings to a
 * process, so that it counts once, whatever its windows are: five of five are needed, and four of four are not enough. */
static const double DRIFTING = 0.125, CHANCE = 1e-4;

/* Quiet timed windows of one third of a process's: their median, in ns a call; 0: too few. */
static double third_ns(const struct aisp_evidence *ev, int pair, int side, size_t third, size_t n)
{
    double *x = aisp_xmalloc((n + 1) * sizeof *x), median;
    size_t at = 0, n_quiet = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (is_timed_of(w, pair, side) && at++ * 3 / n == third && aisp_window_is_quiet(w))
            x[n_quiet++] = (double)w->window_ns / (double)w->calls;
    }
    median = n_quiet >= QUIET_LEAST ? aisp_median_or_zero(x, n_quiet) : 0;
    free(x);
    return median;
}

/* First third of a process's timed windows against its last, as a log ratio; false: too few. */
static bool warm_up_left(const struct aisp_evidence *ev, int pair, int side, double *log_ratio)
{
    double first, last;
    size_t n = 0;

    for (size_t i = 0; i < ev->n_windows; i++)
        n += is_timed_of(&ev->window[i], pair, side);
    if (n < WINDOWS_LEAST)
        return false;
    first = third_ns(ev, pair, side, 0, n);
    last = third_ns(ev, pair, side, 2, n);
    *log_ratio = first > 0 && last > 0 ? log(first / last) : 0;
    return first > 0 && last > 0;
}

/* What moves the machine moves both sides of a pair, for their windows lie between each other: so the other side's drift is
 * taken off. And it moves single processes, where who is slow while young is so in every one. */
static bool own_drift(const struct aisp_evidence *ev, int pair, int side, double *log_ratio)
{
    double own, other;

    if (!warm_up_left(ev, pair, side, &own) || !warm_up_left(ev, pair, !side, &other))
        return false;
    *log_ratio = fmin(own, own - other);
    return true;
}

static void cold_start(const struct aisp_check *self, const struct aisp_evidence *ev,
                       struct aisp_findings *out)
{
    double *drift = aisp_xmalloc((ev->n_pairs + 1) * sizeof *drift);

    for (int side = AISP_A; side <= AISP_B; side++) {
        size_t n = 0, n_slow = 0;
        double middle;

        for (size_t p = 0; p < ev->n_pairs; p++) {
            if (ev->pair[p].is_control || !own_drift(ev, ev->pair[p].pair, side, &drift[n]))
                continue;
            n_slow += drift[n] > 0.05;
            n++;
        }
        middle = aisp_median_or_zero(drift, n);
        if (middle > 0.15 && n_slow * 5 >= n * 4 && aisp_binomial_tail(n, n_slow, DRIFTING) < CHANCE)
            aisp_find(
                out, self, AISP_VIOLATION, side,
                "%s: the first third of its timed windows takes %.2f times as long as the "
                "last, beside what the other side's does (median of %zu processes, so in %zu): it was not warm when it was timed",
                ev->variant[side].name, exp(middle), n, n_slow);
    }
    free(drift);
}

AISP_CHECK(cold_start_check) = {
    .issue = 85,
    .name = "cold-start",
    .family = "statistical",
    .title = "Cold calls are left out, and a side that is still cold when it is timed is named",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 19,
    .examine = cold_start,
};

/* ---- 86 ---- */

enum { PAGE = 4096, CHURN = 4 };

/* A share of a side's timed windows in which pages were faulted in. */
static double faulting_share(const struct aisp_evidence *ev, int side, int64_t *pages, size_t *n)
{
    size_t faulting = 0;

    *pages = 0;
    *n = 0;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (!aisp_window_is_timed_of(ev, w, side))
            continue;
        (*n)++;
        faulting += w->minor_faults >= 16;
        *pages += w->minor_faults;
    }
    return *n ? (double)faulting / (double)*n : 0;
}

/* Pages that are faulted in again and again, more than the process ever had at a time, and address
 * space that it had and gave back: its allocator frees memory inside the windows and takes it anew. */
static void gc(const struct aisp_check *self, const struct aisp_evidence *ev,
               struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_footing *f = &ev->machine.footing[side];
        int64_t pages, other_pages;
        size_t n, other_n;
        const double share = faulting_share(ev, side, &pages, &n),
                     other = faulting_share(ev, !side, &other_pages, &other_n);

        if (n < 16 || share < 0.5 || other > 0.1 || !f->n_looks ||
            aisp_declaration_uses(&ev->variant[side].decl, "allocates"))
            continue;
        if (f->returned_bytes < 16 * PAGE || pages * PAGE < CHURN * f->peak_bytes)
            continue;
        aisp_find(
            out, self, AISP_VIOLATION, side,
            "%s: memory is given back and taken anew inside its windows: %lld pages were "
            "faulted in, in %.0f %% of %zu windows, by processes of at most %lld; in %.0f %% of "
            "the other side's. Declare it (uses: allocates)",
            ev->variant[side].name, (long long)pages, 100 * share, n,
            (long long)(f->peak_bytes / PAGE), 100 * other);
    }
}

AISP_CHECK(gc_check) = {
    .issue = 86,
    .name = "gc",
    .family = "statistical",
    .title = "No side collects its garbage inside the windows unless that is its declared lesson",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 17,
    .examine = gc,
};

/* ---- 87 ---- */

/* A side's timed windows in which another task took the core, as a share of them; and how often it
 * did in a second of them, for long windows meet more neighbours than short ones. */
struct noise {
    size_t n;
    double share, per_s, quickest_ns;
};

static struct noise noise_of(const struct aisp_evidence *ev, int side)
{
    struct noise noise = { 0, 0, 0, INFINITY };
    double switches = 0, ns = 0, disturbed = 0;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (!aisp_window_is_timed_of(ev, w, side))
            continue;
        noise.n++;
        noise.quickest_ns = fmin(noise.quickest_ns, (double)w->window_ns);
        disturbed += w->involuntary_switches > 0;
        switches += w->involuntary_switches;
        ns += (double)w->window_ns;
    }
    noise.share = noise.n ? disturbed / (double)noise.n : 0;
    noise.per_s = ns > 0 ? 1e9 * switches / ns : 0;
    return noise;
}

/* Blocks are interleaved by coin: a neighbour of the machine meets both sides alike. One that meets
 * a single side knows whose turn it is; but only where windows are about as long can that be told,
 * for a scheduler lets short ones through. A side with more threads than cores disturbs itself. */
static void one_sided_noise(const struct aisp_check *self, const struct aisp_evidence *ev,
                            struct aisp_findings *out)
{
    const struct noise noise[] = { noise_of(ev, AISP_A), noise_of(ev, AISP_B) };

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct noise *its = &noise[side], *other = &noise[!side];
        const bool is_alike = its->quickest_ns < 1.3 * other->quickest_ns;

        if (its->n < 16 || other->n < 16 || ev->account[side].max_tasks > ev->n_threads ||
            (ev->ranks.n_ranks > 1 && !ev->spinning))
            continue;
        if (its->share > 0.7 && other->share < 0.25 && its->per_s > 3 * other->per_s)
            aisp_find(
                out, self, is_alike ? AISP_VIOLATION : AISP_DEVELOPMENT, side,
                "another task took the core in %.0f %% of the windows of %s (%.0f times a "
                "second) and in %.0f %% of those of %s (%.0f): noise that knows whose turn it is",
                100 * its->share, ev->variant[side].name, its->per_s, 100 * other->share,
                ev->variant[!side].name, other->per_s);
    }
}

AISP_CHECK(one_sided_noise_check) = {
    .issue = 87,
    .name = "one-sided-noise",
    .family = "statistical",
    .title = "Other work that meets only one side's windows is no noise",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 4,
    .examine = one_sided_noise,
};
