/* trial.c - how many slots, how many calls make a window, how many windows make a pair.
 * Slots: as many as stay in the cache level in which one slot lies, so that rotating through them changes what is new and not
 * what is measured. Calls: the faster side's window takes at least 2 ms where the supervisor spins on a core of its own, 10 ms
 * where it sleeps, 100 ms where the variant's threads fill the machine; the same number for both sides, and as many steps of the
 * clock as a window needs. Where the sides are far apart the slower one's window ends at ten times that: a large ratio needs no fine
 * clock. A trial whose windows were all disturbed plans too few calls: the warm-up of the first pair shows that, and there is another
 * trial, which plans from the least of both. Who is slow in the warm-up as well is found by its timed windows (checks/timing.c). */
#include "core/goal.h"
#include "core/run/rig.h"

#include <math.h>
#include <string.h>

enum { MOST_SLOTS = 16, MOST_TINY_SLOTS = 64, TRIAL_WINDOWS = 6, MOST_PLANS = 3 };
enum { BLOCKS_LOW = 8, BLOCKS_HIGH = 12, BLOCKS_LEAST = 4, PAIRS_MEANT = 26 };
/* Where a window is one call: blocks of a pair, and what a window costs beside its time. */
enum { SINGLE_BLOCKS = 64, SINGLE_LEAST = 16, SINGLE_JUDGE_NS = 300000 };
static const int64_t TINY_SLOT_BYTES = 4096, MOST_SLOT_BYTES = (int64_t)256 << 20;
static const int64_t SPIN_WINDOW_NS = 2000000, SLEEP_WINDOW_NS = 10000000,
                     FULL_WINDOW_NS = 100000000;
static const int64_t LONG_WINDOW_NS = 10000000, TRIAL_WINDOW_NS = 1000000,
                     TRIAL_COMPARE_NS = 200000;
/* So many steps of the clock for a window that is planned, a quarter more than it has to have, and for one that it is planned from. */
static const double PLANNED_STEPS = 1.25 * AISP_CLOCK_STEPS, TRIAL_STEPS = 0.1 * AISP_CLOCK_STEPS;
/* Of a window's time, for its filling and for its comparison. */
static const double JUDGE_SHARE = 0.10;

static bool has_role(const struct aisp_instance *inst, enum aisp_role role)
{
    for (int t = 0; t < inst->n_tensors; t++)
        if (inst->problem->tensor[t].role == role)
            return true;
    return false;
}

/* INOUT slots are used up by a call: there must be as many as a window has calls, whatever level they fill. */
static int choose_slots(const struct aisp_course *course)
{
    const struct aisp_plan *plan = course->plan;
    const int64_t slot = (int64_t)aisp_instance_slot_bytes(&plan->inst),
                  weight = (int64_t)aisp_instance_weight_bytes(&plan->inst);
    const int one = aisp_evidence_level(course->ev, slot + weight);
    const bool inout = has_role(&plan->inst, AISP_INOUT);
    const bool file = has_role(&plan->inst, AISP_FILE); /* a disk holds them all alike */
    const int most = inout                     ? AISP_RUN_MAX_SLOTS
                     : file                    ? AISP_RUN_LEAST_SLOTS
                     : slot <= TINY_SLOT_BYTES ? MOST_TINY_SLOTS
                                               : MOST_SLOTS;
    int n = AISP_RUN_LEAST_SLOTS;

    while (n < most && (n + 1) * slot <= MOST_SLOT_BYTES &&
           (inout || aisp_evidence_level(course->ev, (n + 1) * slot + weight) == one))
        n++;
    while (n > AISP_RUN_LEAST_SLOTS && plan->backend->fits(&plan->inst, n, 2, NULL) != AISP_OK)
        n /= 2;
    return n < AISP_RUN_LEAST_SLOTS ? AISP_RUN_LEAST_SLOTS : n;
}

/* *window_ns is 0 where the window says nothing: it was not of the scope that was asked for. */
static enum aisp_status shoot(struct aisp_rig *rig, int side, int64_t calls, double *window_ns,
                              struct aisp_err *err)
{
    const struct aisp_shot shot = { .side = side,
                                    .calls = calls,
                                    .kind = AISP_WINDOW_WARMUP,
                                    .block = -1,
                                    .fill_budget_bytes = -1,
                                    .compare_budget_ns = TRIAL_COMPARE_NS };
    struct aisp_shot_result result;
    const enum aisp_status st = aisp_rig_window(rig, &shot, &result, err);

    if (st == AISP_OK)
        *window_ns = !result.counts                ? 0
                     : result.window.window_ns > 0 ? (double)result.window.window_ns
                                                   : 1;
    return st;
}

static int64_t most_calls(const struct aisp_rig *rig)
{
    const int64_t most = aisp_goal_is_single(rig->inst->problem->goal) ? 1
                         : rig->has_inout                              ? rig->n_slots
                                                                       : INT64_C(1) << 32;
    const int64_t held = aisp_hold_most(rig->course);

    return most < held ? most : held;
}

/* 0 for a clock that no window is long enough for. */
static double steps_ns(const struct aisp_course *course, double n)
{
    const double step_ns = course->ev->calibration.clock_step_ns;

    return step_ns <= AISP_CLOCK_COARSEST_NS ? n * step_ns : 0;
}

/* Raise the calls until a window is long enough to be timed, then take the least of a few: what disturbs a window makes it
 * longer, and a plan made from disturbed ones would make windows too short. It plans, it is no result. Where windows are held it
 * is found here how many calls can be. */
static enum aisp_status measure_call(struct aisp_rig *rig, int side, double *call_ns,
                                     struct aisp_err *err)
{
    const double long_ns = fmax((double)TRIAL_WINDOW_NS, steps_ns(rig->course, TRIAL_STEPS));
    double window_ns = 0, least = INFINITY;
    enum aisp_status st = AISP_OK;
    int64_t calls = 1;
    int n = 0;

    while (n < TRIAL_WINDOWS && !aisp_hold_is_refused(rig->course)) {
        calls = calls < most_calls(rig) ? calls : most_calls(rig);
        AISP_TRY(shoot(rig, side, calls, &window_ns, err));
        if (window_ns <= 0)
            continue;
        if (n == 0 && window_ns < long_ns && calls < most_calls(rig)) {
            calls = (int64_t)((double)calls * fmin(64, fmax(2, 1.5 * long_ns / window_ns)));
            continue;
        }
        if (n++ > 0) /* the one that was long enough at last is not among them */
            least = fmin(least, window_ns / (double)calls);
    }
    *call_ns = least;
out:
    return st;
}

static double wanted_window_ns(const struct aisp_course *course)
{
    const int64_t usual_ns = course->spin                  ? SPIN_WINDOW_NS
                             : course->plan->n_threads > 1 ? FULL_WINDOW_NS
                                                           : SLEEP_WINDOW_NS;

    return fmax((double)usual_ns, steps_ns(course, PLANNED_STEPS));
}

static int64_t choose_calls(const struct aisp_course *course, const double call_ns[2])
{
    const double fast = fmin(call_ns[AISP_A], call_ns[AISP_B]), slow = fmax(call_ns[AISP_A], call_ns[AISP_B]);
    const double want = wanted_window_ns(course);
    const double bounded = fmax(floor(10 * want / slow), ceil(want / 10 / fast));

    if (aisp_goal_is_single(course->plan->problem->goal))
        return 1;
    return (int64_t)fmax(1, fmin((double)aisp_hold_most(course), fmin(ceil(want / fast), bounded)));
}

/* The faster side's window, at that pace; what is wanted where that is less. */
static double planned_ns(const struct aisp_course *course, const double call_ns[2])
{
    return fmin(wanted_window_ns(course), (double)course->calls * fmin(call_ns[AISP_A], call_ns[AISP_B]));
}

/* A window of one call gives one number of its tail: a pair has as many as a 99th percentile needs, where time allows. */
static void choose_single_blocks(struct aisp_course *course, double each_ns, int64_t open_ns)
{
    const double share = (double)course->plan->time_limit_ns / PAIRS_MEANT - (double)open_ns;

    course->n_warmup_low = 6;
    course->n_warmup_high = 9;
    course->n_blocks_high =
        (int)fmax(SINGLE_LEAST, fmin(SINGLE_BLOCKS, share / (4 * each_ns)));
    course->n_blocks_low = course->n_blocks_high - course->n_blocks_high / 10;
}

/* Blocks: 8 to 12, fewer where a dozen pairs of them would not fit into the time: opening, filling, judging and controls take up
 * to two thirds on top of the windows. */
static void choose_blocks(struct aisp_course *course, int64_t open_ns)
{
    const double window =
        0.5 * (double)(course->window_est_ns[AISP_A] + course->window_est_ns[AISP_B]);
    const bool is_single = aisp_goal_is_single(course->plan->problem->goal) &&
                           !course->plan->inst.serving.requests;
    const bool is_long = window >= (double)LONG_WINDOW_NS;
    const double with_judge = window * (1 + 2 * JUDGE_SHARE);
    double affordable;

    if (is_single) {
        choose_single_blocks(course, with_judge + SINGLE_JUDGE_NS, open_ns);
        return;
    }
    course->n_warmup_low = is_long ? 2 : 6;
    course->n_warmup_high = is_long ? 3 : 9;
    affordable = (double)course->plan->time_limit_ns / PAIRS_MEANT - (double)open_ns;
    affordable = (affordable - with_judge * (course->n_warmup_low + course->n_warmup_high)) /
                 (4 * with_judge);
    course->n_blocks_high = (int)fmax(BLOCKS_LEAST, fmin(BLOCKS_HIGH, affordable));
    course->n_blocks_low = course->n_blocks_high < BLOCKS_LOW ? course->n_blocks_high : BLOCKS_LOW;
    if (course->point) { /* how much of a gain is there is a coarser question than whether there is one */
        course->n_blocks_low = course->n_blocks_high = BLOCKS_LEAST;
        course->n_warmup_low = is_long ? 2 : 3;
        course->n_warmup_high = is_long ? 3 : 5;
    }
}

static void conclude(struct aisp_course *course, int64_t open_ns)
{
    struct aisp_evidence *ev = course->ev;
    const struct aisp_instance *inst = &course->plan->inst;
    const double gbps =
        course->filled_ns ? (double)course->filled_bytes / (double)course->filled_ns : 0;
    double window;

    course->calls = choose_calls(course, course->call_ns);
    if (has_role(inst, AISP_INOUT) && course->calls > course->n_slots)
        course->calls = course->n_slots;
    if (course->n_slots > course->calls) /* slots that no window would reach */
        course->n_slots = course->calls < AISP_RUN_LEAST_SLOTS ? AISP_RUN_LEAST_SLOTS : (int)course->calls;
    for (int side = AISP_A; side <= AISP_B; side++)
        course->window_est_ns[side] = (int64_t)(course->call_ns[side] * (double)course->calls);
    window = 0.5 * (double)(course->window_est_ns[AISP_A] + course->window_est_ns[AISP_B]);
    if (course->calls == 1 && window < (double)SPIN_WINDOW_NS)
        window = (double)SPIN_WINDOW_NS; /* a window of one call is judged like a longer one */
    course->fill_budget_bytes = (int64_t)(JUDGE_SHARE * window * gbps);
    course->compare_budget_ns = (int64_t)(JUDGE_SHARE * window);
    choose_blocks(course, open_ns);
    if (course->point) /* the evidence describes the asked size */
        return;
    ev->calls_per_window = course->calls;
    ev->planned_window_ns = (int64_t)planned_ns(course, course->call_ns);
    ev->n_slots = course->n_slots;
    ev->working_set_bytes = (int64_t)aisp_instance_slot_bytes(inst) * course->n_slots +
                            (int64_t)aisp_instance_weight_bytes(inst);
    strcpy(ev->cache_level, aisp_cache_names[aisp_evidence_level(ev, ev->working_set_bytes)]);
}

/* What the trial found, or the warm-up that it was taken again for. */
static void take_least(struct aisp_course *course)
{
    for (int side = AISP_A; side <= AISP_B; side++)
        if (course->warm_call_ns[side] > 0)
            course->call_ns[side] = fmin(course->call_ns[side], course->warm_call_ns[side]);
}

bool aisp_trial_was_disturbed(struct aisp_course *course, int32_t pair)
{
    const struct aisp_evidence *ev = course->ev;
    double call_ns[] = { course->call_ns[AISP_A], course->call_ns[AISP_B] };

    if (has_role(&course->plan->inst, AISP_INOUT)) /* a slot is a call: that is what bounds them */
        return false;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->pair == pair && w->kind == AISP_WINDOW_WARMUP && w->calls > 0 && w->window_ns > 0)
            call_ns[w->side] = fmin(call_ns[w->side], (double)w->window_ns / (double)w->calls);
    }
    if (choose_calls(course, call_ns) <= course->calls || planned_ns(course, call_ns) >= planned_ns(course, course->call_ns) / 2)
        return false;
    memcpy(course->warm_call_ns, call_ns, sizeof call_ns);
    return true;
}

enum aisp_status aisp_trial(struct aisp_course *course, bool *go_on, struct aisp_err *err)
{
    const struct aisp_plan *plan = course->plan;
    struct aisp_rig_spec spec = {
        .course = course,
        .inst = &plan->inst,
        .variant = { plan->variant[AISP_A], plan->variant[AISP_B] },
        .label = { AISP_A, AISP_B },
        .blame = { AISP_A, AISP_B },
        .phase = AISP_PHASE_TRIAL,
        .is_measured = course->limit_bytes[AISP_A] > 0,
        .limit_bytes = { course->limit_bytes[AISP_A], course->limit_bytes[AISP_B] },
        .pair = -1,
        .key = aisp_key_derive(&plan->secret, "trial", course->point, course->n_plans, 0, 0),
    };
    int64_t open_ns = aisp_now_ns();
    enum aisp_status st, closed;
    struct aisp_rig rig;

    course->n_slots = choose_slots(course);
    st = plan->backend->fits(&plan->inst, course->n_slots, 2, err);
    if (st)
        return st;
    spec.n_slots = course->n_slots;
    course->filled_bytes = course->filled_ns = 0; /* at the asked size only */
    aisp_course_progress(course, AISP_PHASE_TRIAL, 0);
    AISP_TRY(aisp_rig_open(&rig, &spec, err));
    open_ns = aisp_now_ns() - open_ns;
    for (int side = AISP_A; side <= AISP_B; side++)
        AISP_TRY(measure_call(&rig, side, &course->call_ns[side], err));
    take_least(course);
    if (!aisp_hold_is_refused(course))
        conclude(course, open_ns);
    course->is_plan_new = ++course->n_plans < MOST_PLANS;
out:
    closed = aisp_rig_close(&rig, st == AISP_OK, err);
    *go_on = st == AISP_OK && !aisp_hold_is_refused(course) && !course->n_wrong_calls[AISP_A] && !course->n_wrong_calls[AISP_B];
    if (st == AISP_E_WORKER)
        return AISP_OK;
    return st ? st : closed;
}
