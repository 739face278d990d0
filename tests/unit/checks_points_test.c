/* checks_points_test.c - what is faster at the size that everybody knows was timed at secret points too, in enough pairs; or that is
 * said. */
#include "tests/unit/checks_scene.h"

/* The contender takes four fifths of the reference's time; at n_points secret points it was timed in n_pairs of each, there by
 * `there_ns`. */
static struct aisp_evidence faster(int n_points, int n_pairs, int64_t there_ns)
{
    struct aisp_evidence ev = honest();

    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_B)
            ev.window[i].window_ns -= 400000, ev.window[i].inner_ns -= 400000;
    for (int k = 0; k < n_points; k++) {
        struct aisp_point *point = aisp_grow(&ev.point, &ev.n_points, &ev.cap_points, sizeof *point);

        point->calls = 100;
        point->first_pair = (int32_t)ev.n_pairs;
        for (point->n_pairs = 0; point->n_pairs < n_pairs; point->n_pairs++) {
            const int at = (int)ev.n_pairs;
            struct aisp_pair *p = aisp_grow(&ev.pair, &ev.n_pairs, &ev.cap_pairs, sizeof *ev.pair);

            p->pair = at;
            p->complete = true;
            for (int block = 0; block < 8; block++)
                for (int i = 0; i < 4; i++) {
                    struct aisp_window *w = add_window(&ev, at, block, i == 1 || i == 2, AISP_WINDOW_HOLDOUT);

                    if (w->side == AISP_B)
                        w->window_ns = there_ns + draw(40000), w->inner_ns = w->window_ns - 200;
                }
        }
    }
    aisp_evidence_chain(&ev, ev.chain);
    return ev;
}

static void a_gain_that_was_timed_at_few_secret_points_is_development(void **unused)
{
    static const int few[][2] = { { 3, 0 }, { 1, 1 }, { 3, 1 }, { 1, 7 } };

    (void)unused;
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        struct aisp_evidence ev = faster(few[i][0], few[i][1], 1600000);

        expect_development(&ev, "symbolic-shape");
    }
}

static void a_gain_that_is_there_in_enough_pairs_is_publishable(void **unused)
{
    static const int enough[][2] = { { 3, 3 }, { 2, 5 }, { 1, 9 }, { 1, 8 } };

    (void)unused;
    for (size_t i = 0; i < sizeof enough / sizeof *enough; i++) {
        struct aisp_evidence ev = faster(enough[i][0], enough[i][1], 1600000);

        expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
    }
}

static void a_gain_of_the_known_size_alone_is_a_violation(void **unused)
{
    struct aisp_evidence ev = faster(3, 3, 2000000);

    (void)unused;
    expect_violation(&ev, "symbolic-shape");
}

/* No range is declared, or its points lie in another cache level: there is nothing to be timed at. */
static void where_there_are_no_points_nothing_is_lacking(void **unused)
{
    struct aisp_evidence ev = faster(0, 0, 0);

    (void)unused;
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

static void what_is_not_faster_lacks_no_points(void **unused)
{
    struct aisp_evidence ev = faster(3, 1, 2000000);

    (void)unused;
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_B && ev.window[i].kind == AISP_WINDOW_TIMED)
            ev.window[i].window_ns += 400000, ev.window[i].inner_ns += 400000;
    aisp_evidence_chain(&ev, ev.chain);
    expect(&ev, NULL, AISP_NOTE, AISP_GRADE_PUBLISHABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gain_that_was_timed_at_few_secret_points_is_development),
        cmocka_unit_test(a_gain_that_is_there_in_enough_pairs_is_publishable),
        cmocka_unit_test(a_gain_of_the_known_size_alone_is_a_violation),
        cmocka_unit_test(where_there_are_no_points_nothing_is_lacking),
        cmocka_unit_test(what_is_not_faster_lacks_no_points),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
