/* lead_test.c - who is accused of having worked between arm and go, and who is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/rig.h"

struct scene {
    struct aisp_evidence ev;
    struct aisp_plan plan;
    struct aisp_course course;
    struct aisp_rig rig;
};

static struct scene *scene(void)
{
    struct scene *s = calloc(1, sizeof *s);

    s->course = (struct aisp_course){ .plan = &s->plan, .ev = &s->ev };
    s->rig = (struct aisp_rig){ .course = &s->course, .n_sides = 2, .blame = { AISP_A, AISP_B } };
    return s;
}

static void release(struct scene *s)
{
    aisp_evidence_release(&s->ev);
    free(s);
}

/* A pair of 24 windows a side by turns; of those of a side the first `longer` in every 24 took `more_ns` more than 25 us or so. */
static void pair(struct scene *s, const int longer[2], int64_t more_ns)
{
    for (int i = 0; i < 24; i++)
        for (int side = 0; side < 2; side++) {
            const struct aisp_window w = { .kind = AISP_WINDOW_TIMED,
                                           .gap_ns = 25000 + 700 * (i % 5) + (i < longer[side] ? more_ns : 0) };

            aisp_lead_note(&s->rig, side, &w);
        }
    aisp_lead_end_pair(&s->rig);
    s->rig.pair++;
}

static int n_accused(const struct scene *s, int side)
{
    int n = 0;

    for (size_t i = 0; i < s->ev.n_observations; i++)
        n += s->ev.observation[i].what == AISP_SEEN_BUSY_OUTSIDE && s->ev.observation[i].kind == AISP_BUSY_BEFORE_GO &&
             s->ev.observation[i].side == side;
    return n;
}

static void one_that_works_before_go_is_accused_before_a_verdict_can_be(void **state)
{
    struct scene *s = scene();

    (void)state;
    for (int i = 0; i < 12; i++)
        pair(s, (const int[]){ 0, 24 }, 60000);
    assert_int_equal(n_accused(s, AISP_A), 0);
    assert_true(n_accused(s, AISP_B) > 0);
    release(s);
}

static void one_that_works_before_a_sixth_of_them_is_too(void **state)
{
    struct scene *s = scene();

    (void)state;
    for (int i = 0; i < 12; i++)
        pair(s, (const int[]){ 0, 4 }, 60000);
    assert_int_equal(n_accused(s, AISP_A), 0);
    assert_true(n_accused(s, AISP_B) > 0);
    release(s);
}

/* Its kernels are launched before it is ready. Turns on the card differ by less. */
static void one_whose_card_works_before_go_is_too(void **state)
{
    struct scene *s = scene(), *turns = scene();

    (void)state;
    strcpy(s->ev.limits.card, "GPU-0");
    strcpy(turns->ev.limits.card, "GPU-0");
    for (int i = 0; i < 12; i++) {
        pair(s, (const int[]){ 0, 24 }, 300000);
        pair(turns, (const int[]){ 0, 24 }, 90000);
    }
    assert_int_equal(n_accused(s, AISP_A), 0);
    assert_true(n_accused(s, AISP_B) > 0);
    assert_int_equal(turns->ev.n_observations, 0);
    release(s);
    release(turns);
}

/* A few microseconds more in each: what is not near any more, or lies on other pages. */
static void one_that_wakes_more_slowly_is_not(void **state)
{
    struct scene *s = scene();

    (void)state;
    for (int i = 0; i < 40; i++)
        pair(s, (const int[]){ 0, 24 }, 12000);
    assert_int_equal(s->ev.n_observations, 0);
    release(s);
}

/* As on a crowded host: every fourth pair has a slow process, of either side. */
static void unlucky_processes_of_both_sides_accuse_nobody(void **state)
{
    struct scene *s = scene();

    (void)state;
    for (int i = 0; i < 80; i++)
        pair(s, (const int[]){ i % 4 == 1 ? 20 : 2, i % 4 == 3 ? 20 : 2 }, 4000000);
    assert_int_equal(s->ev.n_observations, 0);
    release(s);
}

static void what_falls_on_both_alike_accuses_nobody(void **state)
{
    struct scene *s = scene();

    (void)state;
    for (int i = 0; i < 40; i++)
        pair(s, (const int[]){ 8, 12 }, 300000);
    assert_int_equal(s->ev.n_observations, 0);
    release(s);
}

static void control_pairs_and_pairs_of_few_windows_say_nothing(void **state)
{
    struct scene *s = scene();
    const struct aisp_window slow = { .kind = AISP_WINDOW_TIMED, .gap_ns = 90000 }, usual = { .kind = AISP_WINDOW_TIMED, .gap_ns = 20000 };

    (void)state;
    for (int i = 0; i < 40; i++, s->rig.pair++) {
        for (int k = 0; k < 7; k++) {
            aisp_lead_note(&s->rig, AISP_A, &usual);
            aisp_lead_note(&s->rig, AISP_B, &slow);
        }
        aisp_lead_end_pair(&s->rig);
    }
    s->rig.blame[AISP_B] = AISP_A;
    for (int i = 0; i < 40; i++)
        pair(s, (const int[]){ 0, 24 }, 60000);
    assert_int_equal(s->ev.n_observations, 0);
    release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_works_before_go_is_accused_before_a_verdict_can_be),
        cmocka_unit_test(one_that_works_before_a_sixth_of_them_is_too),
        cmocka_unit_test(one_whose_card_works_before_go_is_too),
        cmocka_unit_test(one_that_wakes_more_slowly_is_not),
        cmocka_unit_test(unlucky_processes_of_both_sides_accuse_nobody),
        cmocka_unit_test(what_falls_on_both_alike_accuses_nobody),
        cmocka_unit_test(control_pairs_and_pairs_of_few_windows_say_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
