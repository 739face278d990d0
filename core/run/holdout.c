/* holdout.c - secret points of the range that a problem declares: drawn here, verified by verify.c, and timed here.
 * A speedup is a claim about code, not about one size that everybody knows. So what is FASTER at the asked size is timed again
 * at the very points where it was verified, by the same procedure: fresh workers, a trial, pairs of blocks in random order. Few
 * pairs a point: all points together have enough for an interval at 99 %, and answer one question, how much of the gain is there.
 * Points that lie in another cache level than the asked size are left out: they would measure the level, and the others have
 * their pairs. A point that should have been timed is in the evidence whether time was left for it or not: who is slow to set up
 * at sizes that nobody knows does not escape the question. */
#include "core/run/rig.h"

#include <math.h>
#include <string.h>

/* Pairs at all points together; and pairs of the asked size that take as long, with a trial at each point. */
enum { PAIRS = AISP_GENERALISATION_PAIRS + 1, PAIRS_AND_TRIALS = PAIRS + AISP_HOLDOUT_POINTS };
static const size_t POINT_BYTES = (size_t)64 << 20, POINT_MOST_BYTES = (size_t)1 << 30,
                    LARGE_POINT_BYTES = (size_t)8 << 30;
static const double TIME_SHARE = 0.3; /* of the pairs' limit, on top of what they left of it */

/* A range whose least point is larger than the usual bound gets more room; beyond 1 GiB there is no holdout, and the evidence
 * shows that there was none. */
static bool draw(const struct aisp_course *course, int point, const int64_t *about, size_t least, size_t most,
                 struct aisp_instance *inst)
{
    for (size_t bytes = least; bytes <= most; bytes *= 4) {
        const struct aisp_key key =
            aisp_key_derive(&course->plan->secret, "holdout", point, 0, 0, 0);
        struct aisp_dice dice;

        aisp_dice_init(&dice, &key);
        if (aisp_instance_draw(inst, course->plan->problem, about, &dice, bytes, NULL) == AISP_OK)
            return true;
    }
    return false;
}

bool aisp_holdout_draw(const struct aisp_course *course, int point, struct aisp_instance *inst)
{
    return draw(course, point, NULL, POINT_BYTES, POINT_MOST_BYTES, inst);
}

/* What is timed at the large size, or at one of the user's own, is timed again about it; its outputs are compared in those
 * windows. The range lies about the default: of a gain at a tenth of that it says nothing, for or against. */
bool aisp_holdout_draw_timed(const struct aisp_course *course, int point, struct aisp_instance *inst)
{
    const char *size = course->plan->size;

    if (!size || (strcmp(size, "large") != 0 && strcmp(size, "custom") != 0))
        return aisp_holdout_draw(course, point, inst);
    return draw(course, point, course->plan->inst.param, LARGE_POINT_BYTES, LARGE_POINT_BYTES, inst);
}

static int class_of(const struct aisp_course *course, const struct aisp_instance *inst)
{
    return aisp_evidence_level(course->ev, (int64_t)aisp_instance_slot_bytes(inst) + (int64_t)aisp_instance_weight_bytes(inst));
}

/* What happened at a point belongs to the whole comparison. */
static void bring_home(struct aisp_course *course, const struct aisp_course *there)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        course->n_wrong_calls[side] = there->n_wrong_calls[side];
        course->is_dead[side] |= there->is_dead[side];
        course->n_stale_searches[side] = there->n_stale_searches[side];
    }
    course->idle_at_points = there->idle;
}

bool aisp_holdout_is_far(const struct aisp_course *course, const struct aisp_instance *inst)
{
    return aisp_instance_slot_bytes(inst) + aisp_instance_weight_bytes(inst) > POINT_BYTES &&
           class_of(course, inst) != class_of(course, &course->plan->inst);
}

static bool is_to_be_timed(const struct aisp_course *course, int point, struct aisp_instance *inst)
{
    return aisp_holdout_draw_timed(course, point, inst) && class_of(course, inst) == class_of(course, &course->plan->inst) &&
           !course->plan->backend->fits(inst, AISP_RUN_LEAST_SLOTS, 2, NULL);
}

static size_t record_point(struct aisp_evidence *ev, const struct aisp_instance *inst)
{
    struct aisp_point *record = aisp_grow(&ev->point, &ev->n_points, &ev->cap_points, sizeof *record);

    memcpy(record->param, inst->param, sizeof record->param);
    record->first_pair = (int32_t)ev->n_pairs;
    return ev->n_points - 1;
}

static enum aisp_status time_point(struct aisp_course *course, int point, int n_pairs, int64_t until_ns, struct aisp_err *err)
{
    struct aisp_plan plan = *course->plan;
    struct aisp_course there = *course;
    struct aisp_evidence *ev = course->ev;
    enum aisp_status st;
    size_t at;
    bool go_on;

    if (!is_to_be_timed(course, point, &plan.inst))
        return AISP_OK;
    at = record_point(ev, &plan.inst);
    if (aisp_now_ns() >= until_ns)
        return AISP_OK;
    plan.time_limit_ns = until_ns - aisp_now_ns();
    there.plan = &plan;
    there.point = point + 1;
    memset(there.row_ns, 0, sizeof there.row_ns);
    memset(there.warm_call_ns, 0, sizeof there.warm_call_ns);
    there.idle = course->idle_at_points; /* a point has too few pairs for a count of its own */
    memset(&there.lead, 0, sizeof there.lead);
    there.n_plans = 0;
    AISP_TRY(aisp_trial(&there, &go_on, err));
    if (!go_on)
        goto out;
    ev->point[at].calls = there.calls;
    ev->point[at].first_pair = (int32_t)ev->n_pairs;
    for (int i = 0; i < n_pairs && aisp_now_ns() < until_ns; i++) {
        if (there.is_dead[AISP_A] || there.is_dead[AISP_B])
            break;
        aisp_course_progress(course, AISP_PHASE_HOLDOUT, (int)ev->n_pairs);
        AISP_TRY(aisp_pair_take(&there, (int32_t)ev->n_pairs, err));
        ev->point[at].n_pairs++;
        if (!there.is_plan_short)
            continue;
        AISP_TRY(aisp_trial(&there, &go_on, err));
        if (!go_on)
            break;
        ev->point[at].calls = there.calls;
    }
out:
    bring_home(course, &there);
    return st;
}

/* At least what as many pairs took at the asked size: of an honest variant they take no longer elsewhere. */
static int64_t time_for_points(const struct aisp_course *course)
{
    const double limit_ns = (double)course->plan->time_limit_ns;
    const double elapsed_ns = (double)(aisp_now_ns() - course->pairs_start_ns);
    const double alike_ns = course->ev->n_pairs ? PAIRS_AND_TRIALS * elapsed_ns / (double)course->ev->n_pairs : 0;

    return (int64_t)fmax(fmax(limit_ns - elapsed_ns, 0) + TIME_SHARE * limit_ns, alike_ns);
}

enum aisp_status aisp_holdout_time(struct aisp_course *course, struct aisp_err *err)
{
    const int64_t until_ns = aisp_now_ns() + time_for_points(course);
    struct aisp_look_result look;
    struct aisp_instance inst;
    enum aisp_status st = AISP_OK;
    int n_points = 0;

    if (course->ev->goal == AISP_MEMORY) /* bytes were proven, and are no time */
        return AISP_OK;
    if (aisp_run_verdict(course->ev, &look, NULL) || look.verdict != AISP_FASTER)
        return AISP_OK;
    for (int point = 0; point < AISP_HOLDOUT_POINTS; point++)
        n_points += is_to_be_timed(course, point, &inst);
    for (int point = 0; point < AISP_HOLDOUT_POINTS && n_points; point++)
        AISP_TRY(time_point(course, point, (PAIRS + n_points - 1) / n_points, until_ns, err));
out:
    aisp_pairs_reveal(course);
    return st;
}
