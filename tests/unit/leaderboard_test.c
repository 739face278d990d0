/* leaderboard_test.c - measured values combined, rows read, boards ranked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/leaderboard.h"
#include "analysis/recommend.h"
#include "tests/unit/result_rows.h"

#pragma GCC diagnostic ignored "-Woverride-init"

static void near(double x, double wanted)
{
    if (!(fabs(x - wanted) <= 1e-9 * fabs(wanted)))
        fail_msg("%.17g, not %.17g", x, wanted);
}

static void value_outside_its_interval_widens_it(void **state)
{
    const struct aisp_measured m = aisp_measured_of(3, 1, 2);

    (void)state;
    near(m.lo, 1);
    near(m.hi, 3);
}

static void what_cannot_be_a_measurement_is_none(void **state)
{
    const struct aisp_measured none[] = { aisp_measured_of(NAN, 1, 2), aisp_measured_of(0, 0, 1), aisp_measured_of(-1, 1, 2),
                                          aisp_measured_of(INFINITY, 1, 2) },
                               bare[] = { aisp_measured_of(2, NAN, 3), aisp_measured_of(2, 0, 3),
                                          aisp_measured_of(2, 1, INFINITY), aisp_measured_of(2, 3, 1) };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_false(aisp_measured_exists(&none[i]));
        assert_false(aisp_measured_has_interval(&none[i]));
        assert_true(aisp_measured_exists(&bare[i]));
        assert_false(aisp_measured_has_interval(&bare[i]));
    }
}

/* Half widths 3 and 4 of logarithms make 5. */
static void product_adds_half_widths_as_squares(void **state)
{
    const struct aisp_measured m[] = { { 2, 2 * exp(-0.03), 2 * exp(0.03) }, { 5, 5 * exp(-0.04), 5 * exp(0.04) } },
                               p = aisp_measured_product(m, 2), q = aisp_measured_quotient(&m[0], &m[1]);

    (void)state;
    near(p.value, 10);
    near(p.lo, 10 * exp(-0.05));
    near(p.hi, 10 * exp(0.05));
    near(q.value, 0.4);
    near(q.lo, 0.4 * exp(-0.05));
    near(q.hi, 0.4 * exp(0.05));
}

/* The quotient's lower bound takes the lower one above the line and the upper one below it: sqrt(3^2 + 4^2), not 3 and 12. */
static void quotient_turns_the_bounds_of_what_it_divides_by(void **state)
{
    const struct aisp_measured a = { 1, exp(-0.03), exp(0.05) }, b = { 1, exp(-0.12), exp(0.04) },
                               q = aisp_measured_quotient(&a, &b);

    (void)state;
    near(log(q.lo), -0.05);
    near(log(q.hi), 0.13);
}

static void missing_parts_make_missing_products(void **state)
{
    const struct aisp_measured m[] = { { 2, 1, 3 }, { 3, NAN, NAN }, { NAN, NAN, NAN } };
    struct aisp_measured p = aisp_measured_product(m, 2);

    (void)state;
    near(p.value, 6);
    assert_false(aisp_measured_has_interval(&p));
    p = aisp_measured_product(m, 3);
    assert_false(aisp_measured_exists(&p));
    p = aisp_measured_product(NULL, 0);
    near(p.value, 1);
    near(p.hi, 1);
    assert_int_equal(aisp_measured_side(&m[1], 1), 0);
    assert_int_equal(aisp_measured_side(&m[0], 0.5), 1);
    assert_int_equal(aisp_measured_side(&m[0], 4), -1);
    assert_int_equal(aisp_measured_side(&m[0], 1), 0); /* it touches */
}

static void rates_and_joules_come_from_measured_columns_only(void **state)
{
    /* 2 ms a call of 1000 units: 500,000 units a second; 0.1 J a call: 50 W, 0.1 mJ a unit */
    const struct aisp_result_row units = ROW("b", 2, 1.9, 2.1, .b_median_ns = 2e6, .b_per_second = 5e5, .b_energy_j = 0.1),
                                 calls = ROW("b", 2, 1.9, 2.1, .b_median_ns = 2e6), none = ROW("b", 2, 1.9, 2.1);

    (void)state;
    near(aisp_row_rate(&units, AISP_ROW_B), 5e5);
    assert_true(isnan(aisp_row_rate(&units, AISP_ROW_A)));
    near(aisp_row_watts(&units, AISP_ROW_B), 50);
    near(aisp_row_joules(&units, AISP_ROW_B), 1e-4);
    assert_true(aisp_row_counts_units(&units));
    near(aisp_row_rate(&calls, AISP_ROW_B), 500);
    assert_true(isnan(aisp_row_watts(&calls, AISP_ROW_B)));
    assert_true(isnan(aisp_row_rate(&none, AISP_ROW_B)));
}

static void rows_keep_equal_texts_once(void **state)
{
    struct aisp_rows rows = AISP_ROWS_INIT;
    char name[] = "optimized_a";
    struct aisp_result_row row = ROW(name, 2, 1.9, 2.1), other = ROW("optimized_b", 2, 1.9, 2.1, .host = NULL);

    (void)state;
    aisp_rows_add(&rows, &row);
    aisp_rows_add(&rows, &other);
    aisp_rows_add(&rows, &row);
    name[0] = 'X';
    assert_string_equal(rows.row[0].variant, "optimized_a");
    assert_ptr_equal(rows.row[0].variant, rows.row[2].variant);
    assert_ptr_equal(rows.row[0].target, rows.row[1].target);
    assert_string_equal(rows.row[1].host, "");
    for (int i = 0; i < 5000; i++) {
        char text[16];

        snprintf(text, sizeof text, "t%d", i % 2500);
        row.target = text;
        aisp_rows_add(&rows, &row);
    }
    assert_ptr_equal(rows.row[3].target, rows.row[2503].target);
    assert_string_equal(rows.row[5002].target, "t2499");
    aisp_rows_release(&rows);
}

static void board_shares_a_rank_where_intervals_meet(void **state)
{
    const struct aisp_result_row row[] = {
        ROW("c", 2.0, 1.9, 2.1),   ROW("a", 3.0, 2.9, 3.1),  ROW("b", 2.95, 2.9, 3.0),
        ROW("d", 1.0, 0.99, 1.95), ROW("none", 9, NAN, NAN), ROW("other", 9, 8, 10, .goal = "memory"),
        ROW("wrong", NAN, NAN, NAN, .grade = "invalid"),     ROW("cheat", 99, 98, 100, .grade = "invalid"),
    };
    static const char *const order[] = { "a", "b", "c", "d", "none" };
    static const size_t rank[] = { 1, 1, 3, 3, 0 };
    struct aisp_board board;

    (void)state;
    aisp_board_init(&board, row, 8, "speed");
    assert_int_equal(board.n, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(board.entry[i].row->variant, order[i]);
        assert_int_equal(board.entry[i].rank, rank[i]);
    }
    aisp_board_release(&board);
}

static void board_of_ties_is_ordered_by_name(void **state)
{
    const struct aisp_result_row row[] = { ROW("b", 2, 2, 2), ROW("a", 2, 2, 2), ROW("a", 2, 2, 2, .target = "ch00:w") };
    struct aisp_board board;

    (void)state;
    aisp_board_init(&board, row, 3, "speed");
    assert_string_equal(board.entry[0].row->target, "ch00:w");
    assert_string_equal(board.entry[1].row->variant, "a");
    assert_int_equal(board.entry[2].rank, 1);
    aisp_board_release(&board);
    aisp_board_init(&board, row, 1, "speed");
    assert_int_equal(board.n, 1);
    aisp_board_release(&board);
    aisp_board_init(&board, NULL, 0, "speed");
    assert_int_equal(board.n, 0);
    aisp_board_release(&board);
}

static void advice_follows_from_one_targets_rows(void **state)
{
    const struct aisp_result_row row[] = {
        ROW("optimized_a", 3.0, 2.9, 3.1),
        ROW("optimized_b", 2.98, 2.95, 3.0),
        ROW("optimized_c", 2.0, 1.9, 2.1),
        ROW("optimized_d", 0.5, 0.4, 0.6, .verdict = "SLOWER"),
        ROW("optimized_e", 1.0, 0.9, 1.1, .verdict = "UNSURE"),
        ROW("optimized_f", NAN, NAN, NAN, .verdict = "INVALID", .grade = "invalid"),
        ROW("peer_x", 4.0, 3.9, 4.1),
        ROW("peer_y", 0.5, 0.4, 0.6, .verdict = "SLOWER"),
    };
    static const struct { enum aisp_advice_kind kind; const char *variant; } wanted[] = {
        { AISP_ADVICE_USE, "optimized_b" },    { AISP_ADVICE_PEER, "peer_x" },        { AISP_ADVICE_AVOID, "optimized_d" },
        { AISP_ADVICE_LONGER, "optimized_e" }, { AISP_ADVICE_REPAIR, "optimized_f" },
    };
    struct aisp_advices advices = { 0 };

    (void)state;
    aisp_advices_find(&advices, row, 8);
    assert_int_equal(advices.n, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(advices.advice[i].kind, wanted[i].kind);
        assert_string_equal(advices.advice[i].row->variant, wanted[i].variant);
    }
    assert_int_equal(advices.advice[0].n_level, 1); /* a: its interval reaches over b's */
    assert_string_equal(advices.advice[1].other->variant, "optimized_b");
    near(advices.advice[1].gain.value, 4.0 / 2.98);
    aisp_advices_release(&advices);
}

static void peer_within_the_intervals_is_no_advice(void **state)
{
    const struct aisp_result_row row[] = { ROW("optimized_a", 3.0, 2.9, 3.1), ROW("peer_x", 3.1, 3.0, 3.2) },
                                 alone[] = { ROW("peer_x", 3.1, 3.0, 3.2, .target = "ch02:y") };
    struct aisp_advices advices = { 0 };

    (void)state;
    aisp_advices_find(&advices, row, 2);
    assert_int_equal(advices.n, 1);
    aisp_advices_release(&advices);
    aisp_advices_find(&advices, alone, 1); /* nothing of ours: ahead of the reference */
    assert_int_equal(advices.n, 1);
    assert_null(advices.advice[0].other);
    aisp_advices_release(&advices);
    aisp_advices_find(&advices, NULL, 0);
    assert_int_equal(advices.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_outside_its_interval_widens_it),
        cmocka_unit_test(what_cannot_be_a_measurement_is_none),
        cmocka_unit_test(product_adds_half_widths_as_squares),
        cmocka_unit_test(quotient_turns_the_bounds_of_what_it_divides_by),
        cmocka_unit_test(missing_parts_make_missing_products),
        cmocka_unit_test(rates_and_joules_come_from_measured_columns_only),
        cmocka_unit_test(rows_keep_equal_texts_once),
        cmocka_unit_test(board_shares_a_rank_where_intervals_meet),
        cmocka_unit_test(board_of_ties_is_ordered_by_name),
        cmocka_unit_test(advice_follows_from_one_targets_rows),
        cmocka_unit_test(peer_within_the_intervals_is_no_advice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
