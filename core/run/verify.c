/* verify.c - is each side right, before anything is timed? Each alone, in sessions that look like those that are timed:
 * at the quick size and at secret points of the holdout range every slot of every window in full; at the asked size one
 * output, in full where the truth costs up to a second, else as many secret rows as that buys (evidence says how many).
 * Where nothing is timed, and so nothing but quick is asked, that one is the default: a way that is taken at round sizes only
 * (aligned rows, whole tiles, more than a threshold) is taken at no other size that is looked at.
 * So is the lowest corner of the holdout range, where that is small: ranges begin one beyond whole tiles and batches, which is where a
 * bound that is one short shows, and secret points hit it once in a hundred.
 * A reference that was right in one comparison of such a run is not asked again in the next.
 * Call counts are random: one window calls some slots once, the next repeats them. Nobody knows yet how long a call takes, and the
 * limit is a call's: so a window has it for each slot, and no more calls than are sure to stay below the half of that. */
#include "core/run/rig.h"

#include <string.h>

enum {
    QUICK_SLOTS = 4,
    QUICK_WINDOWS = 4,
    HOLDOUT_SLOTS = 2,
    HOLDOUT_WINDOWS = 2,
    ASKED_SLOTS = 2
};
static const size_t LOWEST_BYTES = (size_t)64 << 20;
static const int64_t QUICK_BUDGET_NS = 1000000000, HOLDOUT_BUDGET_NS = 200000000,
                     ASKED_BUDGET_NS = 1000000000;

/* One session of one side: what is asked of it. */
struct exam {
    const struct aisp_instance *inst;
    int side, n_slots, n_windows, point;
    enum aisp_phase phase;
    bool check_all;
    int64_t budget_ns;
    bool plants; /* planted contents among the others, and the last ones a second time */
};

static int64_t limit_ns(const struct aisp_course *course, const struct exam *exam)
{
    return course->plan->call_timeout_ns * exam->n_slots;
}

static int64_t drawn_calls(struct aisp_rig *rig, int window)
{
    const uint64_t n = (uint64_t)rig->n_slots;

    if (rig->inst->serving.requests) /* a call is a whole trace */
        return 1;
    if (rig->has_inout || window % 2 == 0)
        return 1 + (int64_t)aisp_dice_below(&rig->dice, n);
    return (int64_t)(n + aisp_dice_below(&rig->dice, 3 * n + 1));
}

/* The first window of a size has as many calls as slots at most: each of them may take its limit. */
static int64_t draw_calls(struct aisp_rig *rig, const struct exam *exam, int window)
{
    const int64_t drawn = drawn_calls(rig, window), longest_ns = rig->course->longest_call_ns[exam->side];
    const int64_t most = longest_ns > 0 ? limit_ns(rig->course, exam) / 2 / longest_ns : drawn;

    return drawn < most ? drawn : most > 0 ? most : 1;
}

static void note_call(struct aisp_course *course, int side, const struct aisp_window *w)
{
    const int64_t call_ns = w->calls > 0 ? w->window_ns / w->calls : 0;

    if (call_ns > course->longest_call_ns[side])
        course->longest_call_ns[side] = call_ns;
}

/* A last window with the same contents; what a call changes cannot be had again. */
static bool is_repeated(const struct aisp_rig *rig, const struct exam *exam)
{
    return exam->plants && !rig->has_inout &&
           aisp_defends(rig->course->plan->policy, AISP_SAME_AGAIN);
}

static enum aisp_status sit(struct aisp_course *course, const struct exam *exam, bool *right,
                            struct aisp_err *err)
{
    const struct aisp_rig_spec spec = {
        .course = course,
        .inst = exam->inst,
        .variant = { course->plan->variant[exam->side] },
        .label = { (int8_t)exam->side, (int8_t)exam->side },
        .blame = { (int8_t)exam->side, (int8_t)exam->side },
        .n_slots = exam->n_slots,
        .phase = exam->phase,
        .pair = -1,
        .key = aisp_key_derive(&course->plan->secret, "verify", exam->phase, exam->point,
                               exam->side, exam->check_all),
        .limit_ns = limit_ns(course, exam),
        .plants = exam->plants,
    };
    enum aisp_status st, closed;
    struct aisp_rig rig;

    *right = true;
    AISP_TRY(aisp_rig_open(&rig, &spec, err));
    if (exam->plants && exam->side == AISP_A)
        aisp_dissect_problem(&rig);
    for (int i = 0; i < exam->n_windows + is_repeated(&rig, exam); i++) {
        const struct aisp_shot shot = { .calls = draw_calls(&rig, exam, i),
                                        .kind = AISP_WINDOW_WARMUP,
                                        .block = -1,
                                        .check_all = exam->check_all,
                                        .fill_budget_bytes = -1,
                                        .compare_budget_ns = exam->budget_ns,
                                        .same_again = i == exam->n_windows };
        struct aisp_shot_result result;

        AISP_TRY(aisp_rig_window(&rig, &shot, &result, err));
        note_call(course, exam->side, &result.window);
        *right &= result.right;
        aisp_course_progress(course, exam->phase, 0);
    }
out:
    closed = aisp_rig_close(&rig, st == AISP_OK, err);
    if (st == AISP_E_WORKER) {
        *right = false;
        return AISP_OK;
    }
    return st ? st : closed;
}

static enum aisp_status verify_quick(struct aisp_course *course, int side, bool *right,
                                     struct aisp_err *err)
{
    struct aisp_instance inst;
    const struct exam exam = {
        &inst, side, QUICK_SLOTS, QUICK_WINDOWS, 0, AISP_PHASE_VERIFY, true, QUICK_BUDGET_NS, true
    };
    enum aisp_status st;

    AISP_TRY(aisp_instance_init(&inst, course->plan->problem, AISP_SIZE_QUICK, NULL, 0, err));
    st = sit(course, &exam, right, err);
out:
    return st;
}

static enum aisp_status verify_holdout(struct aisp_course *course, int side, bool *right,
                                       struct aisp_err *err)
{
    struct aisp_verified *v = &course->ev->verified[side];
    enum aisp_status st = AISP_OK;

    for (int point = 0; point < AISP_HOLDOUT_POINTS; point++) {
        struct aisp_instance inst;
        const struct exam exam = { &inst,         side,
                                   HOLDOUT_SLOTS, HOLDOUT_WINDOWS,
                                   point,         AISP_PHASE_HOLDOUT,
                                   true,          HOLDOUT_BUDGET_NS };
        bool point_right;

        if (!aisp_holdout_draw(course, point, &inst) || (point && aisp_holdout_is_far(course, &inst)))
            break;
        AISP_TRY(sit(course, &exam, &point_right, err));
        v->n_holdout++;
        v->n_holdout_right += point_right;
        *right &= point_right;
        if (course->is_dead[side])
            break;
    }
out:
    return st;
}

static enum aisp_status verify_lowest(struct aisp_course *course, int side, bool *right, struct aisp_err *err)
{
    struct aisp_instance inst;
    const struct exam exam = { &inst,  side, HOLDOUT_SLOTS,     HOLDOUT_WINDOWS, AISP_HOLDOUT_POINTS, AISP_PHASE_VERIFY,
                               true,   HOLDOUT_BUDGET_NS };
    enum aisp_status st;

    AISP_TRY(aisp_instance_lowest(&inst, course->plan->problem, err));
    if (aisp_instance_total_bytes(&inst) <= LOWEST_BYTES)
        st = sit(course, &exam, right, err);
out:
    return st;
}

static enum aisp_status verify_asked(struct aisp_course *course, int side, bool *right,
                                     struct aisp_err *err)
{
    const struct aisp_plan *plan = course->plan;
    struct exam exam = { &plan->inst, side, ASKED_SLOTS, 1, 0, AISP_PHASE_VERIFY, false, ASKED_BUDGET_NS };
    struct aisp_instance other;
    enum aisp_status st;

    if (plan->verify_only && plan->size && !strcmp(plan->size, "quick")) {
        AISP_TRY(aisp_instance_init(&other, plan->problem, AISP_SIZE_DEFAULT, NULL, 0, err));
        exam.inst = &other;
    }
    if (plan->backend->fits(exam.inst, exam.n_slots, 1, NULL) != AISP_OK)
        exam.n_slots = 1;
    AISP_TRY(plan->backend->fits(exam.inst, exam.n_slots, 1, err));
    st = sit(course, &exam, right, err);
out:
    return st;
}

/* Where nothing is timed, the reference would do in each comparison what it did in the first. */
static bool take_known(struct aisp_course *course)
{
    const struct aisp_known *known = course->plan->verify_only ? course->plan->known : NULL;

    if (!known)
        return false;
    course->ev->verified[AISP_A] = known->verified;
    strcpy(course->ev->reference_in, known->in);
    return true;
}

enum aisp_status aisp_verify(struct aisp_course *course, bool *go_on, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    *go_on = true;
    for (int side = take_known(course) ? AISP_B : AISP_A; side <= AISP_B; side++) {
        bool right = true;

        AISP_TRY(verify_quick(course, side, &right, err));
        if (right)
            AISP_TRY(verify_holdout(course, side, &right, err));
        if (right && course->plan->verify_only)
            AISP_TRY(verify_lowest(course, side, &right, err));
        if (right)
            AISP_TRY(verify_asked(course, side, &right, err));
        *go_on &= right;
    }
out:
    return st;
}
