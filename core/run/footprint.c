/* footprint.c - how much memory each side needs: measured in fresh processes without a limit, then proven in fresh ones under it.
 * From then on every process of the comparison has that limit, so what is timed is what was measured. Memory is in whole pages
 * and hardly differs from process to process; a difference must nevertheless hold over every repeat.
 * Not here: what the figure is made of (core/footprint.h). */
#include <math.h>

#include "core/run/rig.h"

enum { WINDOWS = 2, SLOTS = 1, PAGE = 4096, LOOSE = 1 << 16 };
static const int64_t BUDGET_NS = 500000000;

/* One process of one side, with secrets of its own. */
struct trip {
    int side, number;
    bool is_proof;
    bool right;
    struct aisp_reach reach;
};

static bool is_capped(const struct aisp_course *course)
{
    return aisp_defends(course->plan->policy, AISP_MEMORY_CAP);
}

static void observe_descriptors(struct aisp_rig *rig, const struct trip *trip)
{
    struct aisp_observation seen = { .what = AISP_SEEN_DESCRIPTORS,
                                     .phase = AISP_PHASE_VERIFY,
                                     .kind = -1,
                                     .call = -1,
                                     .slot = -1,
                                     .tensor = -1,
                                     .element = -1,
                                     .seen = trip->reach.n_descriptors };

    if (trip->reach.n_descriptors)
        aisp_rig_observe(rig, AISP_A, &seen);
}

static enum aisp_status go(struct aisp_course *course, struct trip *trip, struct aisp_err *err)
{
    const struct aisp_plan *plan = course->plan;
    const struct aisp_rig_spec spec = {
        .course = course,
        .inst = &plan->inst,
        .variant = { plan->variant[trip->side] },
        .label = { (int8_t)trip->side, (int8_t)trip->side },
        .blame = { (int8_t)trip->side, (int8_t)trip->side },
        .n_slots = SLOTS,
        .phase = AISP_PHASE_VERIFY,
        .pair = -1,
        .key = aisp_key_derive(&plan->secret, "footprint", trip->side, trip->number, trip->is_proof,
                               0),
        .is_measured = true,
        .limit_bytes = { trip->is_proof && is_capped(course)
                             ? course->ev->footprint[trip->side].cap_bytes
                             : 0 },
    };
    enum aisp_status st, closed;
    struct aisp_rig rig;

    trip->right = true;
    AISP_TRY(aisp_rig_open(&rig, &spec, err));
    for (int i = 0; i < WINDOWS; i++) {
        const struct aisp_shot shot = { .calls = 1,
                                        .kind = AISP_WINDOW_WARMUP,
                                        .block = -1,
                                        .check_all = true,
                                        .fill_budget_bytes = -1,
                                        .compare_budget_ns = BUDGET_NS };
        struct aisp_shot_result result;

        AISP_TRY(aisp_rig_window(&rig, &shot, &result, err));
        trip->right &= result.right;
    }
    AISP_TRY(plan->backend->reach(rig.session, AISP_A, &trip->reach, err));
    observe_descriptors(&rig, trip);
out:
    closed = aisp_rig_close(&rig, st == AISP_OK, err);
    trip->right &= st == AISP_OK;
    return st == AISP_E_WORKER ? AISP_OK : st ? st : closed;
}

static enum aisp_status measure(struct aisp_course *course, int side, bool *right,
                                struct aisp_err *err)
{
    struct aisp_footprint *f = &course->ev->footprint[side];
    enum aisp_status st = AISP_OK;

    for (int i = 0; i < AISP_FOOTPRINT_REPEATS && *right; i++) {
        struct trip trip = { .side = side, .number = i };

        AISP_TRY(go(course, &trip, err));
        *right = trip.right;
        if (!trip.right)
            break;
        f->peak_bytes[f->n_repeats++] = trip.reach.peak_bytes;
        f->loaded_bytes = trip.reach.loaded_bytes;
        f->cap_bytes = f->cap_bytes > trip.reach.peak_bytes ? f->cap_bytes : trip.reach.peak_bytes;
    }
    f->cap_bytes = (f->cap_bytes + PAGE - 1) / PAGE * PAGE;
out:
    return st;
}

static enum aisp_status prove(struct aisp_course *course, int side, bool *right,
                              struct aisp_err *err)
{
    struct aisp_footprint *f = &course->ev->footprint[side];
    enum aisp_status st = AISP_OK;

    for (int i = 0; i < AISP_FOOTPRINT_PROOFS; i++) {
        struct trip trip = { .side = side, .number = i, .is_proof = true };

        AISP_TRY(go(course, &trip, err));
        f->n_proofs++;
        f->n_proven += trip.right;
        *right &= trip.right;
    }
out:
    return st;
}

enum aisp_status aisp_footprint_take(struct aisp_course *course, bool *go_on, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (!course->plan->backend->reach)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "the device %s does not measure memory",
                         course->plan->backend->name);
    for (int side = AISP_A; side <= AISP_B; side++) {
        bool right = true;

        AISP_TRY(measure(course, side, &right, err));
        if (right)
            AISP_TRY(prove(course, side, &right, err));
        *go_on &= right;
    }
    for (int side = AISP_A; side <= AISP_B && is_capped(course); side++)
        course->limit_bytes[side] = course->ev->footprint[side].cap_bytes;
out:
    return st;
}

static void span(const struct aisp_footprint *f, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (int i = 0; i < f->n_repeats; i++) {
        *low = fmin(*low, (double)f->peak_bytes[i]);
        *high = fmax(*high, (double)f->peak_bytes[i]);
    }
}

/* All repeats of one side against all of the other. A difference of some pages is one of where things came to lie. */
enum aisp_status aisp_footprint_verdict(const struct aisp_evidence *ev,
                                        struct aisp_look_result *result, struct aisp_err *err)
{
    const struct aisp_footprint *a = &ev->footprint[AISP_A], *b = &ev->footprint[AISP_B];
    double a_low, a_high, b_low, b_high;
    int n_a = AISP_FOOTPRINT_PROOFS, n_b = AISP_FOOTPRINT_PROOFS;
    bool proven = a->n_repeats == AISP_FOOTPRINT_REPEATS && b->n_repeats == AISP_FOOTPRINT_REPEATS;

    if (!proven || a->cap_bytes < 1 || b->cap_bytes < 1)
        return aisp_fail(err, AISP_E_USAGE, "memory was not measured on both sides");
    if (aisp_defences_have_switches) { /* without the defence nothing was to be proven */
        n_a = a->n_proofs;
        n_b = b->n_proofs;
    }
    proven = a->n_proven == n_a && b->n_proven == n_b;
    span(a, &a_low, &a_high);
    span(b, &b_low, &b_high);
    *result = (struct aisp_look_result){
        .ratio = (double)a->cap_bytes / (double)b->cap_bytes,
        .centre = log((double)a->cap_bytes / (double)b->cap_bytes),
        .has_interval = true,
        .lo95 = a_low / b_high,
        .hi95 = a_high / b_low,
        .decided = true,
    };
    if (!proven) {
        result->verdict = AISP_UNSURE;
        result->reason = AISP_REASON_UNPROVEN;
    } else if (result->lo95 > 1 && a_low - b_high > LOOSE && result->centre > ev->floor) {
        result->verdict = AISP_FASTER;
    } else if (result->hi95 < 1 && b_low - a_high > LOOSE && -result->centre > ev->floor) {
        result->verdict = AISP_SLOWER;
    } else {
        result->verdict = AISP_SAME;
    }
    return AISP_OK;
}
