/* stacking_test.c - combinations found by name, predictions against measurements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/stacking.h"
#include "tests/unit/result_rows.h"

#pragma GCC diagnostic ignored "-Woverride-init"

static struct aisp_stacks found(const struct aisp_result_row *row, size_t n)
{
    struct aisp_stacks stacks = AISP_STACKS_INIT;

    aisp_stacks_find(&stacks, row, n, NULL, 0);
    return stacks;
}

/* 2 x 3 predicted, 6.6 measured: 10 % more; half widths 3 % and 4 % make 5 % of the prediction, 12 % more of it 13 %. */
static void product_is_set_against_what_was_measured(void **state)
{
    const struct aisp_result_row row[] = {
        ROW("optimized_a", 2, 2 * exp(-0.03), 2 * exp(0.03)),
        ROW("optimized_a_b", 6.6, 6.6 * exp(-0.12), 6.6 * exp(0.12)),
        ROW("optimized_b", 3, 3 * exp(-0.04), 3 * exp(0.04)),
    };
    struct aisp_stacks s = found(row, 3);

    (void)state;
    assert_int_equal(s.n, 1);
    assert_string_equal(s.stack[0].whole->variant, "optimized_a_b");
    assert_string_equal(s.stack[0].name[0], "optimized_a");
    assert_string_equal(s.stack[0].name[1], "optimized_b");
    assert_float_equal(s.stack[0].predicted.value, 6, 1e-12);
    assert_float_equal(s.stack[0].predicted.hi, 6 * exp(0.05), 1e-12);
    assert_float_equal(s.stack[0].interaction.value, 1.1, 1e-12);
    assert_float_equal(s.stack[0].interaction.lo, 1.1 * exp(-0.13), 1e-12);
    assert_float_equal(s.stack[0].interaction.hi, 1.1 * exp(0.13), 1e-12);
    assert_int_equal(s.stack[0].kind, AISP_STACK_AS_PREDICTED);
    aisp_stacks_release(&s);
}

static void interval_clear_of_none_is_an_interaction(void **state)
{
    struct aisp_result_row row[] = { ROW("optimized_a", 2, 1.98, 2.02), ROW("optimized_b", 3, 2.98, 3.02),
                                     ROW("optimized_b_a", 9, 8.9, 9.1) };
    struct aisp_stacks s = found(row, 3);

    (void)state;
    assert_int_equal(s.stack[0].kind, AISP_STACK_SYNERGY);
    aisp_stacks_release(&s);
    row[2].ratio = 4, row[2].lo95 = 3.9, row[2].hi95 = 4.1;
    s = found(row, 3);
    assert_int_equal(s.stack[0].kind, AISP_STACK_INTERFERENCE);
    aisp_stacks_release(&s);
    row[2].lo95 = NAN;
    s = found(row, 3);
    assert_int_equal(s.stack[0].kind, AISP_STACK_UNKNOWN);
    assert_float_equal(s.stack[0].interaction.value, 4.0 / 6, 1e-12);
    aisp_stacks_release(&s);
    row[2].grade = "invalid", row[2].ratio = NAN;
    s = found(row, 3);
    assert_int_equal(s.stack[0].kind, AISP_STACK_INVALID);
    assert_true(isnan(s.stack[0].measured.value));
    aisp_stacks_release(&s);
}

static void ideas_of_several_words_and_short_forms_are_found(void **state)
{
    const struct aisp_result_row row[] = { ROW("optimized_online", 2, 1.9, 2.1), ROW("optimized_online_simd", 6, 5.9, 6.1),
                                           ROW("optimized_simd_exp", 5, 4.9, 5.1) },
                                 three[] = { ROW("optimized_a_x", 2, 1.9, 2.1), ROW("optimized_a_x_b_c", 9, 8, 10),
                                             ROW("optimized_b", 2, 1.9, 2.1), ROW("optimized_c", 2, 1.9, 2.1) };
    struct aisp_stacks s = found(row, 3);

    (void)state;
    assert_int_equal(s.n, 1);
    assert_int_equal(s.stack[0].n, 2);
    assert_string_equal(s.stack[0].name[1], "optimized_simd_exp");
    aisp_stacks_release(&s);
    s = found(three, 4);
    assert_int_equal(s.n, 1);
    assert_int_equal(s.stack[0].n, 3);
    assert_string_equal(s.stack[0].name[0], "optimized_a_x");
    aisp_stacks_release(&s);
}

static void short_form_of_two_ideas_is_none(void **state)
{
    const struct aisp_result_row row[] = { ROW("optimized_online", 2, 1.9, 2.1), ROW("optimized_online_simd", 6, 5.9, 6.1),
                                           ROW("optimized_simd_exp", 5, 4.9, 5.1), ROW("optimized_simd_max", 5, 4.9, 5.1) };
    struct aisp_stacks s = found(row, 4);

    (void)state;
    assert_int_equal(s.n, 1);
    assert_null(s.stack[0].part[1]); /* online was measured, "simd" is not one variant's */
    assert_string_equal(s.stack[0].name[1], "optimized_simd");
    assert_int_equal(s.stack[0].kind, AISP_STACK_UNKNOWN);
    assert_true(isnan(s.stack[0].predicted.value));
    aisp_stacks_release(&s);
}

static void parts_are_of_the_same_target_only(void **state)
{
    const struct aisp_result_row row[] = { ROW("optimized_a", 2, 1.9, 2.1), ROW("optimized_a_b", 6, 5.9, 6.1),
                                           ROW("optimized_b", 2, 1.9, 2.1, .target = "ch02:y"),
                                           ROW("peer_a_b", 2, 1.9, 2.1, .target = "ch02:y") };
    struct aisp_stacks s = found(row, 4);

    (void)state;
    assert_int_equal(s.n, 1);
    assert_null(s.stack[0].part[1]);
    aisp_stacks_release(&s);
    s = found(row, 1);
    assert_int_equal(s.n, 0);
    s = found(NULL, 0);
    assert_int_equal(s.n, 0);
}

static void combinations_can_be_said(void **state)
{
    const struct aisp_result_row row[] = { ROW("optimized_all", 6, 5.9, 6.1), ROW("optimized_a", 2, 1.9, 2.1),
                                           ROW("optimized_b", 2, 1.9, 2.1) };
    static const char *const wrong[] = { "x", "x=", "x=a", "=a+b", "x=a+", "x=+b", "x=a+b+c+d+e+f+g" };
    struct aisp_combination said;
    struct aisp_stacks s = AISP_STACKS_INIT;
    struct aisp_err err;

    (void)state;
    assert_int_equal(aisp_combination_parse(&said, "optimized_all=optimized_a+optimized_b", &err), AISP_OK);
    aisp_stacks_find(&s, row, 3, &said, 1);
    assert_int_equal(s.n, 1);
    assert_float_equal(s.stack[0].interaction.value, 1.5, 1e-12);
    aisp_stacks_release(&s);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(aisp_combination_parse(&said, wrong[i], &err), AISP_E_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_is_set_against_what_was_measured),
        cmocka_unit_test(interval_clear_of_none_is_an_interaction),
        cmocka_unit_test(ideas_of_several_words_and_short_forms_are_found),
        cmocka_unit_test(short_form_of_two_ideas_is_none),
        cmocka_unit_test(parts_are_of_the_same_target_only),
        cmocka_unit_test(combinations_can_be_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
