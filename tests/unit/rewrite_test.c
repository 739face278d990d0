/* rewrite_test.c - when a word of an output is overwritten while a window runs, and when it counts that it was left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/rig.h"

enum { SLOTS = 16, CALLS = 160, USUAL_NS = 1600000, CALL_NS = USUAL_NS / CALLS };

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
        .plan = &s->plan, .ev = &s->ev, .spin = true, .calls = CALLS, .n_slots = SLOTS
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

static int64_t middle_of_gap(const struct aisp_rewrite *r)
{
    return (r->n_after + r->gap / 2) * CALL_NS;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_that_took_longer_does_not_move_the_next_ones),
        cmocka_unit_test(in_a_window_that_takes_longer_no_word_counts),
        cmocka_unit_test(a_word_that_is_left_in_the_middle_of_its_gap_counts),
        cmocka_unit_test(where_windows_are_not_alike_no_word_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
