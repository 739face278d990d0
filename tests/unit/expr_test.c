/* expr_test.c - values, and what is said of every mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/expr.h"

static const char *const name[] = { "rows", "cols", "k", "big" };
static const int64_t value[] = { 6, 7, 2, INT64_MAX };
static const struct aisp_names names = { name, value, 4 };

static int64_t of(const char *text)
{
    struct aisp_err err = { .text = "" };
    int64_t v = -999;

    if (aisp_expr(text, "bytes", &names, &v, &err))
        fail_msg("%s", err.text);
    return v;
}

static void assert_fails(const char *text, const char *line)
{
    struct aisp_err err = { .text = "" };
    int64_t v = -999;

    assert_int_equal(aisp_expr(text, "bytes", &names, &v, &err), AISP_E_USAGE);
    assert_string_equal(err.text, line);
    assert_int_equal(v, -999);
}

static void operators_bind_as_in_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(of("8*rows*cols"), 336);
    assert_int_equal(of(" 1 + 2*3 - 4 "), 3);
    assert_int_equal(of("(1+2)*3"), 9);
    assert_int_equal(of("20-5-3"), 12);
    assert_int_equal(of("100/7/2"), 7);
    assert_int_equal(of("17%5*2"), 4);
    assert_int_equal(of("-rows + 10"), 4);
    assert_int_equal(of("2*-3"), -6);
}

static void functions_work_on_whole_numbers(void **state)
{
    (void)state;
    assert_int_equal(of("min(rows, cols)"), 6);
    assert_int_equal(of("max(rows, cols)"), 7);
    assert_int_equal(of("ceil(rows, 4)"), 2);
    assert_int_equal(of("ceil(8, 4)"), 2);
    assert_int_equal(of("ceil(-7, 2)"), -3);
    assert_int_equal(of("log2(1)"), 0);
    assert_int_equal(of("log2(1023)"), 9);
    assert_int_equal(of("log2(1024)"), 10);
    assert_int_equal(of("most(rows, 6)"), 6);
    assert_int_equal(of("2*most(-7, k) + k"), -12);
    assert_int_equal(of("k*ceil(max(rows, 9), min(4, cols))"), 6);
}

static void errors_show_the_text_and_point_at_the_character(void **state)
{
    (void)state;
    assert_fails("8*rows*colz", "bytes \"8*rows*colz\": unknown name \"colz\" at character 8");
    assert_fails("sqrt(k)", "bytes \"sqrt(k)\": unknown function \"sqrt\" at character 1");
    assert_fails("2 ^ k", "bytes \"2 ^ k\": unexpected \"^\" at character 3");
    assert_fails("2*(k+1", "bytes \"2*(k+1\": expected \")\" at character 7");
    assert_fails("min(k)", "bytes \"min(k)\": expected \",\" at character 6");
    assert_fails("8*", "bytes \"8*\": a value is missing at character 3");
    assert_fails("", "bytes \"\": a value is missing at character 1");
    assert_fails("3k", "bytes \"3k\": unexpected \"k\" at character 2");
    assert_fails("k k", "bytes \"k k\": unexpected \"k\" at character 3");
    assert_fails("k, k", "bytes \"k, k\": too many values at character 4");
    assert_fails(NULL, "bytes: no expression");
}

static void overflow_and_division_by_zero_are_errors(void **state)
{
    (void)state;
    assert_fails("big+1", "bytes \"big+1\": overflow at character 4");
    assert_fails("-big-2", "bytes \"-big-2\": overflow at character 5");
    assert_fails("big*k", "bytes \"big*k\": overflow at character 4");
    assert_fails("9223372036854775808", "bytes \"9223372036854775808\": overflow at character 1");
    assert_fails("k/(rows-6)", "bytes \"k/(rows-6)\": division by zero at character 2");
    assert_fails("k%0", "bytes \"k%0\": division by zero at character 2");
    assert_fails("ceil(k,0)", "bytes \"ceil(k,0)\": division by zero at character 1");
    assert_fails("log2(0)", "bytes \"log2(0)\": log2 of a value below 1 at character 1");
    assert_fails("(-big-1)/-1", "bytes \"(-big-1)/-1\": overflow at character 9");
    assert_fails("(-big-1)%-1", "bytes \"(-big-1)%-1\": overflow at character 9");
    assert_fails("-(-big-1)", "bytes \"-(-big-1)\": overflow at character 1");
    assert_int_equal(of("-big-1"), INT64_MIN);
}

static void a_value_above_its_bound_is_an_error_that_names_both(void **state)
{
    (void)state;
    assert_fails("most(rows, 5)", "bytes \"most(rows, 5)\": 6 is above 5 at character 1");
    assert_fails("k*most(big, cols)",
                 "bytes \"k*most(big, cols)\": 9223372036854775807 is above 7 at character 3");
    assert_fails("most(k)", "bytes \"most(k)\": expected \",\" at character 7");
}

static void deep_nesting_is_refused_and_not_followed(void **state)
{
    char text[4001];
    struct aisp_err err;
    int64_t v;

    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        memset(text, kind ? '-' : '(', sizeof text - 1);
        text[sizeof text - 1] = '\0';
        assert_int_equal(aisp_expr(text, "bytes", &names, &v, &err), AISP_E_USAGE);
        assert_non_null(strstr(err.text, "nested too deeply"));
    }
    assert_int_equal(of("((((((((((k))))))))))"), 2);
}

static void a_list_counts_its_values_and_leaves_commas_to_functions(void **state)
{
    struct aisp_err err = { .text = "" };
    int64_t v[3];
    int n = 0;

    (void)state;
    assert_int_equal(
        aisp_expr_list("2*k, max(rows, cols) ,cols", "dims of x", &names, v, 3, &n, &err), AISP_OK);
    assert_int_equal(n, 3);
    assert_int_equal(v[0], 4);
    assert_int_equal(v[1], 7);
    assert_int_equal(v[2], 7);
    assert_int_equal(aisp_expr_list("1,2,3,4", "dims of x", &names, v, 3, &n, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "dims of x \"1,2,3,4\": too many values at character 7");
    assert_int_equal(aisp_expr_list("1,,2", "dims of x", &names, v, 3, &n, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "dims of x \"1,,2\": unexpected \",\" at character 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_arithmetic),
        cmocka_unit_test(functions_work_on_whole_numbers),
        cmocka_unit_test(errors_show_the_text_and_point_at_the_character),
        cmocka_unit_test(overflow_and_division_by_zero_are_errors),
        cmocka_unit_test(a_value_above_its_bound_is_an_error_that_names_both),
        cmocka_unit_test(deep_nesting_is_refused_and_not_followed),
        cmocka_unit_test(a_list_counts_its_values_and_leaves_commas_to_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
