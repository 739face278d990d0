/* ranges_test.c - which rows a look compares: how often each of them, against what the guide says. */
#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/run/ranges.h"

enum { DRAWS = 100000 };

static struct aisp_dice dice_of(int seed)
{
    const struct aisp_key key = { { (uint8_t)seed } };
    struct aisp_dice dice;

    aisp_dice_init(&dice, &key);
    return dice;
}

static bool holds(const struct aisp_range *range, int n, int64_t row)
{
    for (int i = 0; i < n; i++)
        if (row >= range[i].first && row < range[i].first + range[i].n)
            return true;
    return false;
}

static void ranges_lie_inside_in_order_and_are_never_empty(void **state)
{
    struct aisp_dice dice = dice_of(1);

    (void)state;
    for (int64_t rows = 1; rows < 40; rows++)
        for (int64_t n = 0; n <= rows; n++) {
            struct aisp_range range[AISP_MAX_RANGES];
            const int got = aisp_ranges_draw(&dice, rows, n, range);
            int64_t end = 0, all = 0;

            assert_in_range(got, 1, AISP_MAX_RANGES);
            for (int i = 0; i < got; i++) {
                assert_true(range[i].n >= 1);
                assert_true(range[i].first >= end);
                end = range[i].first + range[i].n;
                all += range[i].n;
            }
            assert_true(end <= rows);
            assert_true(n < rows || all == rows);
            assert_true(all <= (n < 1 ? 1 : n));
        }
}

/* Frequencies of 100 000 draws within five standard deviations of the formula. */
static void expect_frequency(int64_t rows, int64_t n, const int64_t *wrong, int n_wrong,
                             double miss)
{
    struct aisp_dice dice = dice_of((int)(rows + n + n_wrong));
    int missed = 0;

    for (int d = 0; d < DRAWS; d++) {
        struct aisp_range range[AISP_MAX_RANGES];
        const int got = aisp_ranges_draw(&dice, rows, n, range);
        bool seen = false;

        for (int i = 0; i < n_wrong && !seen; i++)
            seen = holds(range, got, wrong[i]);
        missed += !seen;
    }
    assert_true(fabs((double)missed - DRAWS * miss) <= 5 * sqrt(DRAWS * miss * (1 - miss)) + 1);
}

static void the_first_last_and_middle_row_of_a_quarter_are_equally_likely(void **state)
{
    static const int64_t rows[] = { 0, 125, 249, 250, 500, 999 };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_frequency(1000, 40, &rows[i], 1, aisp_ranges_miss(1000, 40));
}

static void
wrong_rows_that_lie_in_different_quarters_are_missed_as_often_as_the_product_says(void **state)
{
    static const int64_t rows[] = { 10, 260, 777, 990 };

    (void)state;
    expect_frequency(1000, 100, rows, 2, pow(aisp_ranges_miss(1000, 100), 2));
    expect_frequency(1000, 100, rows, 3, pow(aisp_ranges_miss(1000, 100), 3));
}

static void a_block_of_wrong_rows_is_missed_as_often_as_the_formula_says(void **state)
{
    int64_t rows[20];

    (void)state;
    for (int i = 0; i < 20; i++)
        rows[i] = 300 + i;
    expect_frequency(1000, 40, rows, 20, aisp_ranges_miss_block(1000, 40, 20));
}

/* Ten wrong rows anywhere: neighbours overlap less than the product assumes, so it is a bound that is nearly met. */
static void scattered_wrong_rows_are_missed_no_more_often_than_the_guide_says(void **state)
{
    struct aisp_dice dice = dice_of(9);
    int missed = 0;

    (void)state;
    for (int d = 0; d < DRAWS; d++) {
        struct aisp_range range[AISP_MAX_RANGES];
        const int got = aisp_ranges_draw(&dice, 1000, 100, range);
        bool seen = false;

        for (int i = 0; i < 10; i++)
            seen |= holds(range, got, (int64_t)aisp_dice_below(&dice, 1000));
        missed += !seen;
    }
    assert_true((double)missed / DRAWS < 1.1 * pow(aisp_ranges_miss(1000, 100), 10));
    assert_true((double)missed / DRAWS > 0.8 * pow(aisp_ranges_miss(1000, 100), 10));
}

static void all_rows_miss_nothing(void **state)
{
    (void)state;
    assert_true(aisp_ranges_miss(1000, 1000) == 0);
    assert_true(fabs(aisp_ranges_miss(1000, 1) - 0.999) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_lie_inside_in_order_and_are_never_empty),
        cmocka_unit_test(the_first_last_and_middle_row_of_a_quarter_are_equally_likely),
        cmocka_unit_test(
            wrong_rows_that_lie_in_different_quarters_are_missed_as_often_as_the_product_says),
        cmocka_unit_test(a_block_of_wrong_rows_is_missed_as_often_as_the_formula_says),
        cmocka_unit_test(scattered_wrong_rows_are_missed_no_more_often_than_the_guide_says),
        cmocka_unit_test(all_rows_miss_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
