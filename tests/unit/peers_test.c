/* peers_test.c - ours against peers: direct before indirect, the best by its lower bound, what an indirect figure may claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/peers.h"
#include "tests/unit/result_rows.h"

#pragma GCC diagnostic ignored "-Woverride-init"

static struct aisp_rivals found(const struct aisp_result_row *row, size_t n)
{
    struct aisp_rivals rivals = AISP_RIVALS_INIT;

    aisp_rivals_find(&rivals, row, n);
    return rivals;
}

static void direct_figure_is_taken_before_an_indirect_one(void **state)
{
    const struct aisp_result_row row[] = {
        ROW("optimized_a", 4, 3.9, 4.1),
        ROW("peer_x", 2, 1.9, 2.1),
        ROW("optimized_a", 1.5, 1.4, 1.6, .reference = "peer_x", .verdict = "FASTER"),
    };
    struct aisp_rivals r = found(row, 3);

    (void)state;
    assert_int_equal(r.n, 1);
    assert_true(r.item[0].is_direct);
    assert_string_equal(r.item[0].variant, "optimized_a");
    assert_string_equal(r.item[0].peer, "peer_x");
    assert_float_equal(r.item[0].ratio.value, 1.5, 1e-12);
    assert_int_equal(r.item[0].verdict, AISP_FASTER);
    aisp_rivals_release(&r);
}

/* The peer was compared with our baseline: the same pairs, seen from the other side. */
static void peer_beside_our_baseline_is_turned_round(void **state)
{
    const struct aisp_result_row row[] = { ROW("peer_x", 2, 1.6, 2.5, .verdict = "FASTER") };
    struct aisp_rivals r = found(row, 1);

    (void)state;
    assert_int_equal(r.n, 1);
    assert_true(r.item[0].is_direct);
    assert_string_equal(r.item[0].variant, "baseline");
    assert_float_equal(r.item[0].ratio.value, 0.5, 1e-12);
    assert_float_equal(r.item[0].ratio.lo, 0.4, 1e-12);
    assert_float_equal(r.item[0].ratio.hi, 0.625, 1e-12);
    assert_int_equal(r.item[0].verdict, AISP_SLOWER);
    aisp_rivals_release(&r);
}

/* Two intervals of half a percent leave one of more than a percent: what differs between runs is in neither. */
static void indirect_interval_is_wider_than_both_of_its_parts(void **state)
{
    const struct aisp_result_row row[] = { ROW("optimized_a", 3, 3 * exp(-0.005), 3 * exp(0.005)),
                                           ROW("peer_x", 2, 2 * exp(-0.005), 2 * exp(0.005)) };
    struct aisp_rivals r = found(row, 2);

    (void)state;
    assert_int_equal(r.n, 1);
    assert_false(r.item[0].is_direct);
    assert_float_equal(r.item[0].ratio.value, 1.5, 1e-12);
    assert_true(log(r.item[0].ratio.hi / 1.5) > 0.05);
    assert_true(log(1.5 / r.item[0].ratio.lo) > 0.05);
    assert_int_equal(r.item[0].verdict, AISP_FASTER);
    aisp_rivals_release(&r);
}

static void small_indirect_difference_is_unsure_and_never_the_same(void **state)
{
    struct aisp_result_row row[] = { ROW("optimized_a", 2.04, 2.03, 2.05), ROW("peer_x", 2, 1.99, 2.01) };
    struct aisp_rivals r = found(row, 2);

    (void)state;
    assert_int_equal(r.item[0].verdict, AISP_UNSURE);
    aisp_rivals_release(&r);
    row[0].ratio = 2, row[0].lo95 = 1.99, row[0].hi95 = 2.01;
    r = found(row, 2);
    assert_int_equal(r.item[0].verdict, AISP_UNSURE);
    aisp_rivals_release(&r);
}

static void best_of_ours_is_the_one_whose_interval_begins_highest(void **state)
{
    const struct aisp_result_row row[] = {
        ROW("optimized_lucky", 1.9, 1.1, 2.7, .reference = "peer_x"),
        ROW("optimized_sure", 1.5, 1.4, 1.6, .reference = "peer_x"),
        ROW("optimized_bare", 3, NAN, NAN, .reference = "peer_x"),
    };
    struct aisp_rivals r = found(row, 3);

    (void)state;
    assert_int_equal(r.n, 1);
    assert_string_equal(r.item[0].variant, "optimized_sure");
    aisp_rivals_release(&r);
}

static void each_peer_has_a_line_and_invalid_results_have_none(void **state)
{
    const struct aisp_result_row row[] = {
        ROW("optimized_a", 4, 3.9, 4.1),
        ROW("peer_y", 2, 1.9, 2.1),
        ROW("peer_x", 8, 7.9, 8.1),
        ROW("peer_z", NAN, NAN, NAN, .grade = "invalid"),
        ROW("optimized_wrong", NAN, NAN, NAN, .grade = "invalid"),
        ROW("peer_x", 5, 4, 6, .target = "ch02:other"),
        ROW("peer_x", 3, 2, 4, .size = "quick"),
    };
    struct aisp_rivals r = found(row, 7);

    (void)state;
    assert_int_equal(r.n, 4);
    assert_string_equal(r.item[0].peer, "peer_x");
    assert_int_equal(r.item[0].verdict, AISP_SLOWER);
    assert_string_equal(r.item[1].peer, "peer_y");
    assert_int_equal(r.item[1].verdict, AISP_FASTER);
    assert_string_equal(r.item[2].ours->size, "quick");
    assert_string_equal(r.item[3].ours->target, "ch02:other");
    aisp_rivals_release(&r);
}

/* Neither of two libraries is ours, and an idea measured against another idea says nothing of a library. */
static void rows_without_ours_or_without_a_peer_say_nothing(void **state)
{
    const struct aisp_result_row row[] = { ROW("peer_x", 2, 1.9, 2.1, .reference = "peer_y"),
                                           ROW("optimized_a", 2, 1.9, 2.1, .reference = "optimized_b") };
    struct aisp_rivals r = found(row, 2);

    (void)state;
    assert_int_equal(r.n, 0);
    aisp_rivals_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direct_figure_is_taken_before_an_indirect_one),
        cmocka_unit_test(peer_beside_our_baseline_is_turned_round),
        cmocka_unit_test(indirect_interval_is_wider_than_both_of_its_parts),
        cmocka_unit_test(small_indirect_difference_is_unsure_and_never_the_same),
        cmocka_unit_test(best_of_ours_is_the_one_whose_interval_begins_highest),
        cmocka_unit_test(each_peer_has_a_line_and_invalid_results_have_none),
        cmocka_unit_test(rows_without_ours_or_without_a_peer_say_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
