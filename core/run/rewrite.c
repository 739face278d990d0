/* rewrite.c - is the work of a call done again where its slot comes again? The supervisor, which only waits while a window runs,
 * overwrites one secret word of one output then, at a time between the last two calls of its slot; the last of them has to write
 * it again. Who skips calls, or parts of them, on a slot that he has answered already leaves it as it is.
 * It is a store of a few bytes: one cache line is lost to the worker in a window of 2 ms, on both sides alike. Where outputs are
 * the worker's own memory (huge pages) the kernel makes it.
 * When the calls happen is known from the window's own length alone, so only a word that was overwritten well inside of its gap
 * counts, in a window in which nobody was put aside: not by the kernel, which says so, nor by the host, which does not, but makes it
 * longer than those before. And only where those before were alike: beside a busy sibling of its core a worker has two paces, and
 * in a window that has both the last calls may come sooner than its length says.
 * Who makes its windows unlike on purpose is never asked: so how often a word could have counted is kept as well, and a claim that
 * stands on a side which was hardly asked, where the other one was, is withheld. Accused is nobody for that. */
#include "core/run/rig.h"

#include <math.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/judge/fill.h"
#include "core/stats/stats.h"

enum { PERIOD = 64, LEAST_GAP = 8, TRIES = 16, MARGIN = 3, LONGER_ONE_IN = 4, APART_ONE_IN = 12 };
/* Fewer windows than this say nothing of how often a side was asked; it was hardly asked in less than one of so many. */
enum { ASKED_LEAST = 100, HARDLY_ONE_IN = 10 };
/* A gap of less than this part of its window is missed by what windows differ by anyhow. */
enum { NARROW_ONE_IN = 32 };
static const int64_t NEVER = INT64_MAX;
/* What of a window is no call: from go to the first tick, from the last call to done. */
static const double AROUND_NS = 1000;

static size_t offset_of(const struct aisp_rewrite *r)
{
    return (size_t)r->element * r->n_bytes;
}

static double around_ns(const struct aisp_rig *rig)
{
    return fmax(AROUND_NS, rig->course->ev->calibration.empty_window_ns[0]);
}

/* How long before done the word may be written at the latest, to be sure that the slot's last call was still to come; and at the
 * earliest, to be sure that the one before it was over. Where calls are short no time may lie between the two. */
static double latest_ns(const struct aisp_rig *rig, double call_ns)
{
    return (double)(rig->rewrite.n_after + MARGIN) * call_ns + around_ns(rig);
}

static double earliest_ns(const struct aisp_rig *rig, double call_ns)
{
    return (double)(rig->rewrite.n_after + rig->rewrite.gap - 1) * call_ns;
}

static int64_t tick(void *context)
{
    struct aisp_rig *rig = context;
    struct aisp_rewrite *r = &rig->rewrite;
    int64_t now_ns;

    if (r->slot < 0 || r->done_ns)
        return NEVER;
    now_ns = aisp_now_ns();
    if (!r->go_ns)
        r->go_ns = now_ns;
    if (now_ns - r->go_ns < r->at_ns)
        return r->at_ns - (now_ns - r->go_ns);
    if (rig->backend->overwrite(rig->session, (enum aisp_side)r->side, r->slot, r->tensor,
                                offset_of(r), r->n_bytes, r->poison))
        r->done_ns = aisp_now_ns() - r->go_ns;
    else
        r->slot = -1;
    return NEVER;
}

/* A slot's last call, near the end of the window: how many calls follow it, and how many lie between it and the slot's call before;
 * 0: it is not the last one. */
static struct aisp_rewrite any_call(struct aisp_rig *rig, int64_t calls)
{
    struct aisp_rewrite r = rig->rewrite;
    int64_t call, before;

    r.n_after = (int64_t)aisp_dice_below(&rig->dice, (uint64_t)rig->n_slots);
    call = calls - 1 - r.n_after;
    r.slot = rig->order[call % rig->n_order];
    for (before = call - 1; rig->order[before % rig->n_order] != r.slot;)
        before--;
    r.gap = call - before;
    for (int64_t later = call + 1; later < calls; later++)
        if (rig->order[later % rig->n_order] == r.slot)
            r.gap = 0;
    return r;
}

/* One with room before it: of two such, the one with more, for in a short gap the word is often too early or too late. */
static bool draw_call(struct aisp_rig *rig, int64_t calls)
{
    struct aisp_rewrite *r = &rig->rewrite;
    int n = 0;

    r->gap = 0;
    for (int i = 0; i < TRIES && n < 2; i++) {
        const struct aisp_rewrite one = any_call(rig, calls);

        n += one.gap >= LEAST_GAP;
        if (one.gap >= LEAST_GAP && one.gap > r->gap)
            *r = one;
    }
    return n > 0;
}

/* The word: of any output. */
static bool draw_word(struct aisp_rig *rig)
{
    struct aisp_rewrite *r = &rig->rewrite;
    const struct aisp_tensor *tensor;
    char pattern[PERIOD];
    struct aisp_philox key;

    r->tensor = (int)aisp_dice_below(&rig->dice, (uint64_t)rig->inst->n_tensors);
    for (int i = 0;
         i < rig->inst->n_tensors && rig->inst->problem->tensor[r->tensor].role != AISP_OUT; i++)
        r->tensor = (r->tensor + 1) % rig->inst->n_tensors;
    tensor = &rig->inst->problem->tensor[r->tensor];
    if (tensor->role != AISP_OUT)
        return false;
    key = aisp_contents_poison_key(rig, r->slot, r->tensor);
    r->n_bytes = aisp_dtype_bytes(tensor->dtype);
    r->element =
        (int64_t)aisp_dice_below(&rig->dice, (uint64_t)rig->inst->extent[r->tensor].elements);
    aisp_poison(pattern, sizeof pattern, tensor->dtype, &key);
    memcpy(r->poison, pattern + offset_of(r) % PERIOD, r->n_bytes);
    return true;
}

/* The last ones of a side: their median, for a window that the host lengthened would have the word written too late in the next,
 * and how far the middle half of them lies apart; before there are a few, the plan's estimate and any distance. */
static void look_back(struct aisp_rig *rig, const struct aisp_shot *shot)
{
    enum { FEW = 4 };
    struct aisp_rewrite *r = &rig->rewrite;
    const int n = r->n_last[shot->side] < AISP_REWRITE_LOOKS_BACK ? r->n_last[shot->side]
                                                                  : AISP_REWRITE_LOOKS_BACK;
    double last[AISP_REWRITE_LOOKS_BACK];

    for (int i = 0; i < n; i++)
        last[i] = (double)r->last_ns[shot->side][i];
    aisp_sort(last, (size_t)n);
    r->usual_ns = n ? (int64_t)aisp_quantile_sorted(last, (size_t)n, 0.5) : rig->course->window_est_ns[rig->blame[shot->side]];
    r->spread_ns = n < FEW ? NEVER : (int64_t)(aisp_quantile_sorted(last, (size_t)n, 0.75) - aisp_quantile_sorted(last, (size_t)n, 0.25));
}

bool aisp_rewrite_set(struct aisp_rig *rig, const struct aisp_shot *shot)
{
    struct aisp_rewrite *r = &rig->rewrite;
    double call_ns;

    r->slot = -1;
    r->go_ns = r->done_ns = 0;
    r->is_read = false;
    r->side = shot->side;
    if (rig->pair < 0 || !rig->course->spin || !rig->backend->overwrite || rig->inst->n_ranks > 1 ||
        shot->calls != rig->course->calls || shot->calls < 2 * rig->n_slots ||
        !aisp_defends(rig->course->plan->policy, AISP_SLOT_SECRECY))
        return false;
    if (!draw_call(rig, shot->calls) || !draw_word(rig)) {
        r->slot = -1;
        return false;
    }
    look_back(rig, shot);
    call_ns = (double)r->usual_ns / (double)shot->calls;
    if (earliest_ns(rig, call_ns) <= latest_ns(rig, call_ns)) {
        r->slot = -1;
        return false;
    }
    r->at_ns = r->usual_ns - (int64_t)((earliest_ns(rig, call_ns) + latest_ns(rig, call_ns)) / 2);
    return true;
}

void aisp_rewrite_order(struct aisp_order *order)
{
    order->tick = tick;
}

/* At done, once: by the time a worker sleeps, one that said done too early has written it again. */
void aisp_rewrite_read(struct aisp_rig *rig)
{
    struct aisp_rewrite *r = &rig->rewrite;

    if (!r->is_read && r->slot >= 0 && r->done_ns)
        r->is_read = rig->backend->read(rig->session, (enum aisp_side)r->side, r->slot, r->tensor, offset_of(r), r->n_bytes,
                                        r->is, NULL) == AISP_OK;
}

void aisp_rewrite_look(struct aisp_rig *rig, const struct aisp_shot *shot,
                       const struct aisp_window *w)
{
    struct aisp_rewrite *r = &rig->rewrite;
    struct aisp_rewrites *facts = &rig->course->ev->rewrites[rig->blame[shot->side]];
    const double call_ns = (double)w->window_ns / (double)w->calls, left_ns = (double)(w->window_ns - r->done_ns);
    bool is_met;

    aisp_rewrite_read(rig); /* where the backend said nothing of done */
    if (shot->calls == rig->course->calls)
        r->last_ns[shot->side][r->n_last[shot->side]++ % AISP_REWRITE_LOOKS_BACK] = w->window_ns;
    facts->n_asked += r->slot >= 0;
    if (r->slot < 0 || !r->is_read || w->involuntary_switches ||
        w->window_ns > r->usual_ns + r->usual_ns / LONGER_ONE_IN || r->spread_ns > r->usual_ns / APART_ONE_IN)
        return;
    is_met = left_ns >= latest_ns(rig, call_ns) && left_ns <= earliest_ns(rig, call_ns);
    facts->n_clear += is_met || (earliest_ns(rig, call_ns) - latest_ns(rig, call_ns)) * NARROW_ONE_IN < (double)w->window_ns;
    if (!is_met)
        return;
    facts->n++;
    if (memcmp(r->is, r->poison, r->n_bytes) || facts->n_left++)
        return;
    facts->pair = rig->pair;
    facts->window = rig->n_windows - 1;
    facts->slot = r->slot;
    facts->tensor = r->tensor;
    facts->element = r->element;
}

static bool is_hardly_asked(const struct aisp_rewrites *r)
{
    return r->n_asked >= ASKED_LEAST && r->n_clear * HARDLY_ONE_IN < r->n_asked;
}

double aisp_rewrite_slack(const struct aisp_evidence *ev, double claim)
{
    const struct aisp_rewrites *faster = &ev->rewrites[claim > 0 ? AISP_B : AISP_A],
                               *slower = &ev->rewrites[claim > 0 ? AISP_A : AISP_B];

    return is_hardly_asked(faster) && slower->n_asked >= ASKED_LEAST && !is_hardly_asked(slower) ? fabs(claim) : 0;
}
