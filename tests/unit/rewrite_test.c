/* rewrite_test.c - when a word of an output is overwritten while a window runs, and when it counts that it was left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/rig.h"

enum { SLOTS = 16, CALLS = 160, USUAL_NS = 1600000, CALL_NS = USUAL_NS / CALLS, AROUND_NS = 1000 };

static char output[4096];

static bool overwrite(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                      size_t offset, size_t n_bytes, const void *from)
{
    (void)s, (void)side, (void)slot, (void)tensor;
    memcpy(output + offset, from, n_bytes);
    return true;
}

static enum aisp_status read_back(struct aisp_session *s, enum aisp_side side, int slot, int tensor,
                                  size_t offset, size_t n_bytes, void *to, struct aisp_err *err)
{
    (void)s, (void)side, (void)slot, (void)tensor, (void)err;
    memcpy(to, output + offset, n_bytes);
    return AISP_OK;
}

static const struct aisp_backend backend = { .overwrite = overwrite, .read = read_back };
static const struct aisp_tensor tensors[] = {
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } }, { 0 }
};
static const struct aisp_problem problem = { .tensor = tensors };
static const struct aisp_shot shot = { .side = AISP_A, .calls = CALLS };

struct scene {
    struct aisp_instance inst;
    struct aisp_evidence ev;
    struct aisp_plan plan;
    struct aisp_course course;
    struct aisp_rig rig;
    int32_t order[SLOTS];
};

static struct scene *scene(void)
{
    struct scene *s = calloc(1, sizeof *s);

    s->inst = (struct aisp_instance){
        .problem = &problem, .n_tensors = 1, .n_declared = 1, .n_ranks = 1
    };
    s->inst.extent[0].elements = sizeof output / sizeof(float);
    for (int i = 0; i < SLOTS; i++)
        s->order[i] = i;
    s->course = (struct aisp_course){
        .plan = &s->plan, .ev = &s->ev, .spin = true, .calls = CALLS, .n_slots = SLOTS,
        .window_est_ns = { USUAL_NS, USUAL_NS }
    };
    s->rig = (struct aisp_rig){ .course = &s->course,
                                .inst = &s->inst,
                                .backend = &backend,
                                .n_slots = SLOTS,
                                .blame = { AISP_A, AISP_B },
                                .order = s->order,
                                .n_order = SLOTS };
    return s;
}

/* One in which nothing is overwritten in time. */
static void window(struct scene *s, int64_t window_ns)
{
    const struct aisp_window w = { .window_ns = window_ns, .calls = CALLS };

    assert_true(aisp_rewrite_set(&s->rig, &shot));
    aisp_rewrite_look(&s->rig, &shot, &w);
}

/* From three calls and what is around them before the slot's last one, to one after the call before. */
static int64_t middle_of_gap(const struct aisp_rewrite *r)
{
    return ((2 * r->n_after + r->gap + 2) * CALL_NS + AROUND_NS) / 2;
}

static void a_window_that_took_longer_does_not_move_the_next_ones(void **state)
{
    struct scene *s = scene();

    (void)state;
    for (int i = 0; i < 6; i++)
        window(s, USUAL_NS);
    window(s, 2 * USUAL_NS);
    assert_true(aisp_rewrite_set(&s->rig, &shot));
    assert_int_equal(s->rig.rewrite.at_ns, USUAL_NS - middle_of_gap(&s->rig.rewrite));
    free(s);
}

/* Nobody knows when the calls of such a window were made. */
static void in_a_window_that_takes_longer_no_word_counts(void **state)
{
    const struct aisp_window longer = { .window_ns = 2 * USUAL_NS, .calls = CALLS };
    struct scene *s = scene();
    struct aisp_rewrite *r = &s->rig.rewrite;

    (void)state;
    for (int i = 0; i < 4; i++)
        window(s, USUAL_NS);
    assert_true(aisp_rewrite_set(&s->rig, &shot));
    r->done_ns = longer.window_ns - 2 * middle_of_gap(r);
    aisp_rewrite_look(&s->rig, &shot, &longer);
    assert_int_equal(s->ev.rewrites[AISP_A].n, 0);
    free(s);
}

static void a_word_that_is_left_in_the_middle_of_its_gap_counts(void **state)
{
    const struct aisp_window usual = { .window_ns = USUAL_NS, .calls = CALLS };
    struct scene *s = scene();
    struct aisp_rewrite *r = &s->rig.rewrite;

    (void)state;
    for (int i = 0; i < 4; i++)
        window(s, USUAL_NS);
    assert_true(aisp_rewrite_set(&s->rig, &shot));
    overwrite(NULL, AISP_A, 0, 0, (size_t)r->element * r->n_bytes, r->n_bytes, r->poison);
    r->done_ns = USUAL_NS - middle_of_gap(r);
    aisp_rewrite_look(&s->rig, &shot, &usual);
    assert_int_equal(s->ev.rewrites[AISP_A].n, 1);
    assert_int_equal(s->ev.rewrites[AISP_A].n_left, 1);
    memset(output, 0, sizeof output);
    assert_true(aisp_rewrite_set(&s->rig, &shot));
    r->done_ns = USUAL_NS - middle_of_gap(r);
    aisp_rewrite_look(&s->rig, &shot, &usual);
    assert_int_equal(s->ev.rewrites[AISP_A].n, 2);
    assert_int_equal(s->ev.rewrites[AISP_A].n_left, 1);
    free(s);
}

/* It has two paces, and this window may have had both: then its last calls came sooner than its length says. */
static void where_windows_are_not_alike_no_word_counts(void **state)
{
    const struct aisp_window usual = { .window_ns = USUAL_NS, .calls = CALLS };
    struct scene *s = scene();
    struct aisp_rewrite *r = &s->rig.rewrite;

    (void)state;
    for (int i = 0; i < 8; i++)
        window(s, i % 2 ? USUAL_NS + USUAL_NS / 16 : USUAL_NS - USUAL_NS / 16);
    assert_true(aisp_rewrite_set(&s->rig, &shot));
    r->done_ns = USUAL_NS - middle_of_gap(r);
    aisp_rewrite_look(&s->rig, &shot, &usual);
    assert_int_equal(s->ev.rewrites[AISP_A].n, 0);
    free(s);
}

/* A word for a window of so many ns that is left as it was and was written so long before done, after some windows alike. */
static void leave_a_word(struct scene *s, int64_t window_ns, int64_t left_ns)
{
    const struct aisp_window w = { .window_ns = window_ns, .calls = CALLS };
    struct aisp_rewrite *r = &s->rig.rewrite;

    overwrite(NULL, AISP_A, 0, 0, (size_t)r->element * r->n_bytes, r->n_bytes, r->poison);
    r->done_ns = window_ns - left_ns;
    aisp_rewrite_look(&s->rig, &shot, &w);
}

/* Of calls of 400 ns the last ones are over some 300 to 450 ns sooner than done says, and go was some before the first tick. */
static void what_is_around_the_calls_of_a_window_is_no_room_for_a_word(void **state)
{
    enum { SHORT_NS = 400 };
    struct scene *s = scene();
    struct aisp_rewrite *r = &s->rig.rewrite;

    (void)state;
    for (int i = 0; i < 4; i++)
        window(s, SHORT_NS * CALLS);
    assert_true(aisp_rewrite_set(&s->rig, &shot));
    leave_a_word(s, SHORT_NS * CALLS, (r->n_after + 4) * SHORT_NS);
    assert_int_equal(s->ev.rewrites[AISP_A].n, 0);
    assert_true(aisp_rewrite_set(&s->rig, &shot));
    leave_a_word(s, SHORT_NS * CALLS, SHORT_NS * CALLS - r->at_ns);
    assert_int_equal(s->ev.rewrites[AISP_A].n, 1);
    assert_int_equal(s->ev.rewrites[AISP_A].n_left, 1);
    s->ev.calibration.empty_window_ns[0] = 100 * SHORT_NS;
    leave_a_word(s, SHORT_NS * CALLS, SHORT_NS * CALLS - r->at_ns);
    assert_int_equal(s->ev.rewrites[AISP_A].n, 1);
    free(s);
}

static void where_no_time_is_between_two_calls_of_a_slot_no_word_is_written(void **state)
{
    enum { SHORT_NS = 50 };
    const struct aisp_window w = { .window_ns = SHORT_NS * CALLS, .calls = CALLS };
    struct scene *s = scene();

    (void)state;
    s->course.window_est_ns[AISP_A] = w.window_ns;
    for (int i = 0; i < 4; i++) {
        assert_false(aisp_rewrite_set(&s->rig, &shot));
        aisp_rewrite_look(&s->rig, &shot, &w);
    }
    assert_int_equal(s->ev.rewrites[AISP_A].n_asked, 0);
    free(s);
}

/* So many windows of each side, all of A's as long as each other, every other one of B's a tenth longer. */
static void coin_windows(struct scene *s, int n, const bool by_coin[2])
{
    for (int i = 0; i < n; i++)
        for (int side = AISP_A; side <= AISP_B; side++) {
            const struct aisp_shot one = { .side = side, .calls = CALLS };
            const struct aisp_window w = { .window_ns = i % 2 && by_coin[side] ? USUAL_NS + USUAL_NS / 10 : USUAL_NS,
                                           .calls = CALLS };
            struct aisp_rewrite *r = &s->rig.rewrite;

            assert_true(aisp_rewrite_set(&s->rig, &one));
            r->done_ns = w.window_ns - middle_of_gap(r);
            aisp_rewrite_look(&s->rig, &one, &w);
        }
}

static void a_claim_of_a_side_that_makes_its_windows_unlike_is_withheld(void **state)
{
    static const struct {
        bool by_coin[2];
        bool is_withheld;
    } sides[] = { { { false, true }, true }, { { true, true }, false }, { { false, false }, false }, { { true, false }, false } };

    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct scene *s = scene();

        memset(output, 0, sizeof output);
        coin_windows(s, 90, sides[i].by_coin);
        assert_true(aisp_rewrite_slack(&s->ev, 0.5) == 0);
        coin_windows(s, 40, sides[i].by_coin);
        assert_true(aisp_rewrite_slack(&s->ev, 0.5) == (sides[i].is_withheld ? 0.5 : 0));
        assert_true(aisp_rewrite_slack(&s->ev, -0.5) == (sides[i].by_coin[AISP_A] && !sides[i].by_coin[AISP_B] ? 0.5 : 0));
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_that_took_longer_does_not_move_the_next_ones),
        cmocka_unit_test(in_a_window_that_takes_longer_no_word_counts),
        cmocka_unit_test(a_word_that_is_left_in_the_middle_of_its_gap_counts),
        cmocka_unit_test(where_windows_are_not_alike_no_word_counts),
        cmocka_unit_test(what_is_around_the_calls_of_a_window_is_no_room_for_a_word),
        cmocka_unit_test(where_no_time_is_between_two_calls_of_a_slot_no_word_is_written),
        cmocka_unit_test(a_claim_of_a_side_that_makes_its_windows_unlike_is_withheld),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
