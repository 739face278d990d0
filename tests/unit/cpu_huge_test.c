/* cpu_huge_test.c - outputs and inputs on huge pages, which are the memory of one worker: the judge reaches them through its process. */
#include "tests/fixtures/session.h"

enum { N = 1000 };

static void huge_pages_are_one_sides_own_and_compute_the_same(void **state)
{
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "honest", "honest_huge", 300000);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 3);
    assert_int_equal(session_window(&r, AISP_B, 4, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_B, 2), 300000);
    assert_int_equal(session_right(&r, AISP_A, 2), 0);
    assert_int_equal(session_window(&r, AISP_A, 4, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_A, 2), 300000);
    assert_int_equal(r.cpu->inspect(r.session, AISP_B, true, &r.seen, 1), 0);
    session_close(&r);
}

/* One side's own memory or not: the next reading finds the word, and the other side's is not touched where it has its own. */
static void a_word_of_an_output_is_overwritten_where_its_side_has_it(void **state)
{
    const float word = 77, other = 78;
    struct session_rig r;
    struct aisp_window w;
    float is;

    (void)state;
    session_prepare(&r, "honest", "honest_huge", 300000);
    assert_int_equal(session_open(&r), AISP_OK);
    session_fill(&r, 3);
    for (int side = AISP_A; side <= AISP_B; side++)
        assert_int_equal(session_window(&r, (enum aisp_side)side, 4, &w), AISP_OK);
    assert_true(r.cpu->overwrite(r.session, AISP_A, 1, Y, 400, sizeof word, &word));
    assert_true(r.cpu->overwrite(r.session, AISP_B, 1, Y, 400, sizeof other, &other));
    assert_int_equal(r.cpu->read(r.session, AISP_A, 1, Y, 400, sizeof is, &is, &r.err), AISP_OK);
    assert_float_equal(is, word, 0);
    assert_int_equal(r.cpu->read(r.session, AISP_B, 1, Y, 400, sizeof is, &is, &r.err), AISP_OK);
    assert_float_equal(is, other, 0);
    session_close(&r);
}

static void huge_pages_taken_away_cost_only_the_worker(void **state)
{
    struct session_rig r;
    struct aisp_window w;
    float y[4];

    (void)state;
    session_prepare(&r, "unmaps_huge", "honest", N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_int_equal(r.cpu->read(r.session, AISP_A, 0, Y, 0, sizeof y, y, &r.err), AISP_OK);
    session_fill(&r, 2);
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_E_WORKER);
    assert_int_equal(r.seen.what, AISP_SEEN_PROTOCOL);
    assert_non_null(strstr(r.seen.detail, "huge pages"));
    assert_int_equal(session_window(&r, AISP_B, 1, &w), AISP_OK);
    assert_int_equal(session_right(&r, AISP_B, 0), N);
    session_close(&r);
}

/* So that a word of its output cannot be overwritten while a window runs. */
static void who_hides_an_output_from_the_judge_is_ended(void **state)
{
    const float word = 1;
    struct session_rig r;
    struct aisp_window w;

    (void)state;
    session_prepare(&r, "unmaps_huge", "honest", N);
    assert_int_equal(session_once(&r, &w), AISP_OK);
    assert_false(r.cpu->overwrite(r.session, AISP_A, 0, Y, 0, sizeof word, &word));
    session_fill(&r, 2);
    assert_int_equal(session_window(&r, AISP_A, 1, &w), AISP_E_WORKER);
    assert_non_null(strstr(r.seen.detail, "huge pages"));
    session_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(huge_pages_are_one_sides_own_and_compute_the_same),
        cmocka_unit_test(a_word_of_an_output_is_overwritten_where_its_side_has_it),
        cmocka_unit_test(huge_pages_taken_away_cost_only_the_worker),
        cmocka_unit_test(who_hides_an_output_from_the_judge_is_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
