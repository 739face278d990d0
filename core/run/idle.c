/* idle.c - did a worker sleep between its windows, or did it use CPU time where nobody timed it?
 * Such time is no proof by itself: a host that takes a core away lets the clock of what ran there run on,
 * and on a crowded machine waking up can cost as much as a short window does, in most windows of an unlucky
 * process. But windows of both sides are taken by turns, so that over many pairs this falls on both alike.
 * What accuses a side is that it was the busier one in a third of the pairs, four at least, and in all of
 * them busy more often than chance would have it of two that are alike; or that it was busy nearly always.
 * The share that this takes is small. Of a side's windows in a pair only half are timed, two a block, and
 * emptying one of them moves its block: work outside one window in seven is enough to move the median.
 * Of the windows that energy is metered in there are four: only what no host does is held against one. */
#include "core/run/rig.h"

#include <stdio.h>
#include <string.h>

#include "core/stats/stats.h"

/* A card's driver has threads of its own in the worker, which wake now and then: up to 0.5 ms were seen on
 * an H100, 1.1 ms on an H200. What is computed on the card before go is asked about elsewhere (lead.c). */
enum { ALLOWED_NS = 20000, ALLOWED_BESIDE_DRIVER_NS = 1000000 };
enum { BUSY_LEAST = 4, BUSY_ONE_IN = 16, PAIRS_LEAST = 4, PAIRS_ONE_IN = 3 };
/* Nearly always: three quarters of so many, in so many pairs. */
enum { ALWAYS_LEAST = 64, ALWAYS_OF_FOUR = 3, ALWAYS_PAIRS = 4 };
/* A metered window is long (energy.c), unless it cannot be. */
enum { METERED_ONE_IN = 50, METERED_LEAST_NS = 200000000 };
/* Of 900 sides of honest variants, on a machine whose host took a fifth of it at times, the least was
 * 0.016, at the end of their runs. The question is asked anew at each busy window: with many of them chance is given less. */
static const double CHANCE = 1e-4, CHANCE_OF_MANY = 1e-6;
enum { MANY = 64 };

static int other_than(int side)
{
    return side == AISP_A ? AISP_B : AISP_A;
}

/* By more than a burst of a window or two. */
static bool is_busier_here(const struct aisp_idle *idle, int side)
{
    return idle->n_busy_here[side] >= 2 &&
           idle->n_busy_here[side] >= 2 * idle->n_busy_here[other_than(side)];
}

static void begin_pair(struct aisp_idle *idle, int32_t pair)
{
    if (idle->n_pairs && pair == idle->pair)
        return;
    idle->n_pairs++;
    for (int side = AISP_A; side <= AISP_B; side++)
        idle->n_pairs_busier[side] += is_busier_here(idle, side);
    memset(idle->n_busy_here, 0, sizeof idle->n_busy_here);
    idle->pair = pair;
}

/* Noise clings to processes, so a pair counts once, however much it adds. */
static bool is_busier(const struct aisp_idle *idle, int mine)
{
    const int other = other_than(mine), n = idle->n_pairs_busier[mine] + is_busier_here(idle, mine);

    return n >= PAIRS_LEAST && n * PAIRS_ONE_IN >= idle->n_pairs &&
           n >= 4 * idle->n_pairs_busier[other];
}

static bool is_accused(const struct aisp_idle *idle, int mine)
{
    const int other = other_than(mine), n = idle->n[mine], n_busy = idle->n_busy[mine];

    if (n_busy < BUSY_LEAST || n_busy * BUSY_ONE_IN < n)
        return false;
    if (n >= ALWAYS_LEAST && idle->n_pairs >= ALWAYS_PAIRS && n_busy * 4 >= n * ALWAYS_OF_FOUR)
        return true;
    return is_busier(idle, mine) &&
           aisp_fisher_p((size_t)n_busy, (size_t)n, (size_t)idle->n_busy[other],
                         (size_t)idle->n[other]) < (n < MANY ? CHANCE : CHANCE_OF_MANY);
}

static void accuse(struct aisp_rig *rig, int side, int64_t idle_ns, int64_t allowed_ns)
{
    const struct aisp_idle *idle = &rig->course->idle;
    const int mine = rig->blame[side], other = other_than(mine);
    struct aisp_observation busy = {
        .what = AISP_SEEN_BUSY_OUTSIDE,
        .phase = rig->phase,
        AISP_NOWHERE,
        .seen = (double)idle_ns,
        .allowed = (double)allowed_ns,
    };
    size_t at = 0;

    if (rig->pair >= 0) {
        busy.count = idle->n_busy[mine];
        busy.of = idle->n[mine];
        at = (size_t)snprintf(busy.detail, sizeof busy.detail,
                              "before %d of its %d windows, %d of %d of the other side's",
                              idle->n_busy[mine], idle->n[mine], idle->n_busy[other],
                              idle->n[other]);
    }
    aisp_ranks_say_busy(rig, side, busy.detail + at, sizeof busy.detail - at);
    aisp_rig_observe(rig, side, &busy);
}

void aisp_idle_look(struct aisp_rig *rig, int side, int64_t idle_ns, int64_t window_ns)
{
    struct aisp_idle *idle = &rig->course->idle;
    const int64_t allowed_ns =
        *rig->course->ev->limits.card ? ALLOWED_BESIDE_DRIVER_NS : ALLOWED_NS;
    const int mine = rig->blame[side];

    if (rig->is_metered && window_ns >= METERED_LEAST_NS && idle_ns > window_ns / METERED_ONE_IN)
        accuse(rig, side, idle_ns, window_ns / METERED_ONE_IN);
    if (rig->pair < 0 ||
        rig->blame[0] == rig->blame[1]) /* in a control pair one side has no windows */
        return;
    begin_pair(idle, rig->pair);
    idle->n[mine]++;
    if (idle_ns <= allowed_ns)
        return;
    idle->n_busy[mine]++;
    idle->n_busy_here[mine]++;
    if (is_accused(idle, mine))
        accuse(rig, side, idle_ns, allowed_ns);
}
