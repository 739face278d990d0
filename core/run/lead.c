/* lead.c - did a worker need longer than the other side's to be ready, window after window? Between arm and go nobody is timed,
 * and contents are there already: who computes then has the answers when go comes. How much CPU time that takes may be no more
 * than what an honest worker takes to wake and to bring its slots near, which the host of a virtual machine can make a
 * hundred times as much. But both sides wake in the same way and bring the same bytes near, by turns; so a
 * side's time from arm to go is held against the other side's in the same pair: its shortest ones, which a crowded machine leaves as
 * they are, for work that is done each time is in those too; and, for work that is done now and then, each against each.
 * Noise clings to processes, so a pair is one observation, however many windows it has. Of a pair of honest sides either is as
 * likely to be the slower one; on a machine with six processes for each of its cores one pair in eight was such a one, of both sides
 * together: a quarter for one side is a bound with room.
 * Not here: CPU time beyond what is allowed at all (idle.c); what a claim may owe to less than is accused here (control.c). */
#include "core/run/rig.h"

#include <stdio.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/stats/stats.h"

/* Of what an honest worker needs, a quarter may be its pages: huge ones are brought near more quickly. A card's driver has threads
 * that wake, and the card its turns; but both sides meet them alike. */
enum { MORE_NS = 20000, MORE_BESIDE_DRIVER_NS = 100000, MORE_ONE_IN = 4 };
enum { WINDOWS_LEAST = 8, SHARE_ONE_IN = 8, TIMES_THE_OTHER = 4 };
static const double SHORT = 0.125; /* the quantile */
static const double CHANCE_OF_A_PAIR = 0.25, CHANCE = 1e-4;

static bool counts(const struct aisp_rig *rig, const struct aisp_window *w)
{
    return rig->pair >= 0 && rig->blame[0] != rig->blame[1] && !rig->can_hold && w->kind != AISP_WINDOW_WARMUP &&
           aisp_defends(rig->course->plan->policy, AISP_IDLE_ACCOUNTING);
}

void aisp_lead_note(struct aisp_rig *rig, int side, const struct aisp_window *w)
{
    struct aisp_lead *lead = &rig->course->lead;
    const int mine = rig->blame[side];

    if (counts(rig, w) && lead->n[mine] < AISP_LEAD_MOST)
        lead->gap_ns[mine][lead->n[mine]++] = (double)w->gap_ns;
}

/* In how many of all pairs of windows, one of each side, the first needed so much longer. */
static double share_longer(const struct aisp_lead *lead, int mine, int other, double more_ns)
{
    int64_t n = 0;

    for (int i = 0; i < lead->n[mine]; i++)
        for (int k = 0; k < lead->n[other]; k++)
            n += lead->gap_ns[mine][i] > lead->gap_ns[other][k] + more_ns;
    return (double)n / ((double)lead->n[mine] * lead->n[other]);
}

static void accuse(struct aisp_rig *rig, int mine, const double short_ns[2], double more_ns)
{
    const struct aisp_lead *lead = &rig->course->lead;
    struct aisp_observation longer = {
        .what = AISP_SEEN_BUSY_OUTSIDE, .phase = rig->phase, AISP_NOWHERE, .seen = short_ns[mine] - short_ns[!mine],
        .allowed = more_ns, .count = lead->n_longer[mine], .of = lead->n_pairs,
    };

    longer.kind = AISP_BUSY_BEFORE_GO;
    snprintf(longer.detail, sizeof longer.detail,
             "%.0f us from arm to go, the other side %.0f us (one window in eight is shorter); longer in %d of %d pairs, "
             "the other side in %d",
             1e-3 * short_ns[mine], 1e-3 * short_ns[!mine], lead->n_longer[mine], lead->n_pairs, lead->n_longer[!mine]);
    aisp_rig_observe(rig, rig->blame[AISP_A] == mine ? AISP_A : AISP_B, &longer);
}

static void judge_pair(struct aisp_rig *rig)
{
    struct aisp_lead *lead = &rig->course->lead;
    const int least_ns = *rig->course->ev->limits.card ? MORE_BESIDE_DRIVER_NS : MORE_NS;
    double short_ns[2], more_ns[2], share[2];

    for (int side = AISP_A; side <= AISP_B; side++) {
        aisp_sort(lead->gap_ns[side], (size_t)lead->n[side]);
        short_ns[side] = aisp_quantile_sorted(lead->gap_ns[side], (size_t)lead->n[side], SHORT);
        more_ns[!side] = least_ns + short_ns[side] / MORE_ONE_IN;
    }
    for (int side = AISP_A; side <= AISP_B; side++)
        share[side] = share_longer(lead, side, !side, more_ns[side]);
    lead->n_pairs++;
    for (int side = AISP_A; side <= AISP_B; side++) {
        const bool is_often = share[side] * SHARE_ONE_IN >= 1 && share[side] >= TIMES_THE_OTHER * share[!side];

        if (short_ns[side] <= short_ns[!side] + more_ns[side] && !is_often)
            continue;
        lead->n_longer[side]++;
        if (aisp_binomial_tail((size_t)lead->n_pairs, (size_t)lead->n_longer[side], CHANCE_OF_A_PAIR) < CHANCE)
            accuse(rig, side, short_ns, more_ns[side]);
    }
}

void aisp_lead_end_pair(struct aisp_rig *rig)
{
    struct aisp_lead *lead = &rig->course->lead;

    if (lead->n[AISP_A] >= WINDOWS_LEAST && lead->n[AISP_B] >= WINDOWS_LEAST)
        judge_pair(rig);
    memset(lead->n, 0, sizeof lead->n);
}
