/* pairs.c - pairs of fresh workers, blocks of four windows, controls, and when to stop.
 * Everything that a worker could use to tell one window from the next is drawn from secrets: the order in which the workers are
 * started, the number of warm-up windows and of blocks, A B B A or B A A B, where the controls lie.
 * Controls: every eighth pair runs the reference against itself. Where a window repeats slots, about one window in three
 * repeats none (all slots once, or half of them once), and where only a part of the contents can be new, about one in eight has
 * all of them new: work skipped on what was there before shows as a difference of cost (control.h). */
#include "core/run/rig.h"

#include <string.h>

enum { CONTROL_EVERY = 8, PAIRS_OF_A_CHEAT = 3 };
/* Where memory is compared time is shown only: as many pairs as an interval at 95 % needs. */
enum { PAIRS_OF_MEMORY = 6 };
static const int64_t TIME_OF_A_CHEAT_NS = 2000000000;

static bool is_control_pair(const struct aisp_course *course, int32_t pair)
{
    return !course->point && pair % CONTROL_EVERY == CONTROL_EVERY - 1;
}

static enum aisp_status shoot(struct aisp_rig *rig, int side, enum aisp_window_kind kind,
                              int32_t block, struct aisp_err *err)
{
    const struct aisp_course *course = rig->course;
    const struct aisp_shot shot = {
        .side = side,
        .kind = kind,
        .block = block,
        .record = true,
        .fill_budget_bytes = kind == AISP_WINDOW_FRESH ? -1 : course->fill_budget_bytes,
        .calls = kind == AISP_WINDOW_ONCE        ? course->n_slots
                 : kind == AISP_WINDOW_ONCE_HALF ? course->n_slots / 2
                                                 : course->calls,
        .compare_budget_ns = course->compare_budget_ns,
    };
    struct aisp_shot_result result;

    return aisp_rig_window(rig, &shot, &result, err);
}

static int draw(struct aisp_dice *dice, int low, int high)
{
    return low + (int)aisp_dice_below(dice, (uint64_t)(high - low + 1));
}

static enum aisp_status warm_up(struct aisp_rig *rig, struct aisp_err *err)
{
    const int n = draw(&rig->dice, rig->course->n_warmup_low, rig->course->n_warmup_high);
    enum aisp_status st = AISP_OK;

    rig->phase = AISP_PHASE_WARMUP;
    for (int i = 0; i < n; i++) {
        const int first = aisp_dice_coin(&rig->dice);

        AISP_TRY(shoot(rig, first, AISP_WINDOW_WARMUP, -1, err));
        AISP_TRY(shoot(rig, !first, AISP_WINDOW_WARMUP, -1, err));
    }
out:
    return st;
}

/* Half of the blocks have such a control window before them: one in eight windows or so. */
static enum aisp_status fresh_control(struct aisp_rig *rig, int32_t block, struct aisp_err *err)
{
    const struct aisp_course *course = rig->course;
    const int n_used = course->calls < course->n_slots ? (int)course->calls : course->n_slots;
    const bool wanted = aisp_dice_coin(&rig->dice);
    const int side = aisp_dice_coin(&rig->dice);

    if (!wanted || course->point || !aisp_contents_is_partial(rig, n_used, course->fill_budget_bytes) ||
        !aisp_defends(course->plan->policy, AISP_FRESH_CONTENTS))
        return AISP_OK;
    return shoot(rig, side, AISP_WINDOW_FRESH, block, err);
}

/* Every block has two windows before it that repeat no slot, one of each kind: they are short, and a run that ends at its first
 * look must have enough of both on both sides. */
static enum aisp_status repeat_control(struct aisp_rig *rig, int32_t block, struct aisp_err *err)
{
    static const enum aisp_window_kind kinds[] = { AISP_WINDOW_ONCE, AISP_WINDOW_ONCE_HALF };
    const int first = aisp_dice_coin(&rig->dice);
    enum aisp_status st = AISP_OK;

    if (rig->course->point || rig->course->calls <= rig->course->n_slots ||
        !aisp_defends(rig->course->plan->policy, AISP_SLOT_SECRECY))
        return AISP_OK;
    for (int i = 0; i < 2; i++)
        AISP_TRY(shoot(rig, aisp_dice_coin(&rig->dice), kinds[i ^ first], block, err));
out:
    return st;
}

static enum aisp_status timed_blocks(struct aisp_rig *rig, struct aisp_err *err)
{
    const int n = draw(&rig->dice, rig->course->n_blocks_low, rig->course->n_blocks_high);
    const enum aisp_window_kind kind = rig->course->point ? AISP_WINDOW_HOLDOUT : AISP_WINDOW_TIMED;
    enum aisp_status st = AISP_OK;

    rig->phase = AISP_PHASE_TIMED;
    rig->n_untimed = rig->n_windows;
    for (int block = 0; block < n; block++) {
        const int first = aisp_dice_coin(&rig->dice);
        const int order[] = { first, !first, !first, first };

        AISP_TRY(repeat_control(rig, block, err));
        AISP_TRY(fresh_control(rig, block, err));
        for (int i = 0; i < 4; i++)
            AISP_TRY(shoot(rig, order[i], kind, block, err));
    }
out:
    return st;
}

static struct aisp_key pair_key(const struct aisp_course *course, int32_t pair)
{
    return aisp_key_derive(&course->plan->secret, "pair", pair, 0, 0, 0);
}

enum aisp_status aisp_pair_take(struct aisp_course *course, int32_t pair, struct aisp_err *err)
{
    const struct aisp_plan *plan = course->plan;
    const bool is_control = is_control_pair(course, pair);
    const struct aisp_key key = pair_key(course, pair),
                          label_key = aisp_key_derive(&key, "labels", 0, 0, 0, 0);
    const int64_t slot_bytes = (int64_t)aisp_instance_slot_bytes(&plan->inst);
    struct aisp_rig_spec spec = {
        .course = course,
        .inst = &plan->inst,
        .variant = { plan->variant[AISP_A], plan->variant[AISP_B] },
        .label = { AISP_A, AISP_B },
        .blame = { AISP_A, AISP_B },
        .n_slots = course->n_slots,
        .key = key,
        .phase = AISP_PHASE_SETUP,
        .pair = pair,
        .is_measured = course->limit_bytes[AISP_A] > 0,
        .limit_bytes = { course->limit_bytes[AISP_A], course->limit_bytes[AISP_B] },
        .chunk_bytes = course->fill_budget_bytes < slot_bytes ? course->fill_budget_bytes + 1 : 0,
    };
    struct aisp_evidence *ev = course->ev;
    const size_t at = ev->n_pairs;
    struct aisp_pair *record = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *record);
    enum aisp_status st, closed;
    struct aisp_dice dice;
    struct aisp_rig rig;

    course->is_plan_short = false;
    aisp_dice_init(&dice, &label_key);
    *record = (struct aisp_pair){ .pair = pair, .is_control = is_control };
    aisp_key_commitment(&key, record->commitment);
    if (is_control) {
        const int8_t first = (int8_t)aisp_dice_coin(&dice);

        spec.variant[AISP_B] = plan->variant[AISP_A];
        spec.limit_bytes[AISP_B] = spec.limit_bytes[AISP_A];
        spec.label[0] = first;
        spec.label[1] = !first;
        spec.blame[1] = AISP_A;
    }
    AISP_TRY(aisp_rig_open(&rig, &spec, err));
    AISP_TRY(warm_up(&rig, err));
    course->is_plan_short = course->is_plan_new && aisp_trial_was_disturbed(course, pair);
    course->is_plan_new = false;
    if (course->is_plan_short)
        goto out;
    AISP_TRY(timed_blocks(&rig, err));
    aisp_lead_end_pair(&rig);
out:
    closed = aisp_rig_close(&rig, st == AISP_OK, err);
    ev->pair[at].complete = st == AISP_OK && closed == AISP_OK && !course->is_plan_short && !aisp_hold_is_refused(course);
    if (st == AISP_E_WORKER)
        return AISP_OK;
    return st ? st : closed;
}

/* Then anybody can check the commitments and make the contents again. */
void aisp_pairs_reveal(struct aisp_course *course)
{
    for (size_t i = 0; i < course->ev->n_pairs; i++) {
        const struct aisp_key key = pair_key(course, course->ev->pair[i].pair);

        aisp_key_hex(&key, course->ev->pair[i].secret);
    }
}

/* Pairs too few for a verdict are time wasted: where the user did not say how long, they go on to the first look. */
static int64_t limit_ns(const struct aisp_plan *plan, const struct aisp_verdict_rules *rules, int n_rungs)
{
    return n_rungs < rules->looks[0] && plan->first_look_ns > plan->time_limit_ns ? plan->first_look_ns : plan->time_limit_ns;
}

/* Is the comparison over? A cheat is not timed to the end, but long enough to show what it does. */
static enum aisp_status is_over(struct aisp_course *course, int n_rungs, bool is_new, bool *over,
                                struct aisp_err *err)
{
    const struct aisp_verdict_rules rules =
        aisp_course_rules(course->ev->cache_level, course->ev->floor, course->ev->band);
    const int planned = course->ev->goal == AISP_MEMORY ? PAIRS_OF_MEMORY
                                                        : rules.looks[rules.n_looks - 1];
    const int asked = course->plan->max_pairs > 0 ? course->plan->max_pairs : planned;
    const int most = course->ev->goal == AISP_MEMORY && asked > planned ? planned : asked;
    const int64_t elapsed = aisp_now_ns() - course->pairs_start_ns;
    const bool is_wrong = course->n_wrong_calls[AISP_A] || course->n_wrong_calls[AISP_B];
    struct aisp_look_result look;
    enum aisp_status st;

    for (int i = 0; i < rules.n_looks && is_new && !course->plan->all_pairs; i++) {
        if (n_rungs != rules.looks[i])
            continue;
        st = aisp_look_at(course->ev, i == rules.n_looks - 1, &look, err);
        *over = look.decided;
        if (st || *over)
            return st;
    }
    *over =
        course->is_dead[AISP_A] || course->is_dead[AISP_B] || aisp_hold_is_refused(course) ||
        elapsed >= limit_ns(course->plan, &rules, n_rungs) || n_rungs >= most ||
        (is_wrong && (course->ev->n_pairs >= PAIRS_OF_A_CHEAT || elapsed >= TIME_OF_A_CHEAT_NS));
    course->ev->cut_short = *over;
    return AISP_OK;
}

enum aisp_status aisp_pairs(struct aisp_course *course, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    int n_rungs = 0, n_control, n_before;
    bool over = false;

    course->pairs_start_ns = aisp_now_ns();
    for (int32_t pair = (int32_t)course->ev->n_pairs; !over; pair++) {
        aisp_course_progress(course, AISP_PHASE_TIMED, n_rungs);
        AISP_TRY(aisp_pair_take(course, pair, err));
        if (course->is_plan_short)
            break;
        n_before = n_rungs;
        aisp_evidence_pairs(course->ev, NULL, &n_rungs, NULL, &n_control);
        AISP_TRY(is_over(course, n_rungs, n_rungs > n_before, &over, err));
    }
out:
    aisp_pairs_reveal(course);
    return st;
}
