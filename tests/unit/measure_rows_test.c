/* measure_rows_test.c - by what an answer is measured where few elements are compared: a sum that happens to lie near zero is as
 * inexact as its neighbours, and is no mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/judge/judge.h"

/* Row 5 is a millionth of what is usual, or less. */
static double small = 1e-6;

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)in;
    (void)out;
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = first + i == 5 ? small : 1;
}

static const struct aisp_param params[] = { { "rows", 40, 8, 0, 16, 64, 1 }, { 0 } };
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};
static struct aisp_problem problem = {
    .abi = AISP_ABI, .title = "Sums", .teaches = "nothing", .goal = AISP_SPEED, .param = params, .tensor = tensors, .bytes = "8*rows",
    .flops = "rows", .tolerance = { .ulps = 4, .why = "a few roundings" }, .reference = reference,
};

static enum aisp_wrong judged(float got)
{
    const void *tensor[2] = { NULL, NULL };
    struct aisp_instance inst;
    struct aisp_comparison answer;
    struct aisp_buf scratch = AISP_BUF_INIT;
    struct aisp_err err;

    if (aisp_instance_init(&inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, &err))
        fail_msg("%s", err.text);
    aisp_judge(&(struct aisp_question){ .inst = &inst,
                                        .view = { tensor, inst.param },
                                        .tensor = 1,
                                        .first_row = 5,
                                        .n_rows = 1,
                                        .got = &got },
               &scratch, &answer);
    aisp_buf_release(&scratch);
    return answer.kind;
}

static void a_value_near_zero_may_be_as_inexact_as_its_neighbours(void **state)
{
    (void)state;
    assert_int_equal(judged(1e-6f + 1e-7f), AISP_RIGHT);
    assert_int_equal(judged(1e-6f + 1e-5f), AISP_WRONG_VALUE);
}

/* The norm of the one row that is compared is no norm of the output. */
static void a_value_near_zero_may_be_as_far_from_the_norm_as_its_neighbours(void **state)
{
    static const double truths[] = { 1e-6, 1e-300, 0 };

    (void)state;
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++) {
        small = truths[i];
        problem.tolerance.norm = 1e-5;
        assert_int_equal(judged((float)small + 1e-7f), AISP_RIGHT);
        assert_int_equal(judged((float)small), AISP_RIGHT);
        problem.tolerance.norm = 1e-8;
        assert_int_equal(judged((float)small + 1e-7f), AISP_WRONG_NORM);
    }
    small = 1e-6;
    problem.tolerance.norm = 0;
}

static void rows_of_a_measure_lie_within_the_tensor(void **state)
{
    const struct aisp_extent wide = { .rows = 40, .row_elements = 64 }, thin = { .rows = 40, .row_elements = 1 },
                             few = { .rows = 3, .row_elements = 1 };
    int64_t first, n;

    (void)state;
    for (int64_t at = 0; at < 40; at++) {
        first = at;
        n = 1;
        aisp_judge_measure_rows(&thin, &first, &n);
        assert_int_equal(n, AISP_JUDGE_LEAST_ELEMENTS);
        assert_true(first >= 0 && first <= at && first + n > at && first + n <= 40);
    }
    first = 7;
    n = 1;
    aisp_judge_measure_rows(&wide, &first, &n);
    assert_true(first == 7 && n == 1);
    first = 2;
    aisp_judge_measure_rows(&few, &first, &n);
    assert_true(first == 0 && n == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_near_zero_may_be_as_inexact_as_its_neighbours),
        cmocka_unit_test(a_value_near_zero_may_be_as_far_from_the_norm_as_its_neighbours),
        cmocka_unit_test(rows_of_a_measure_lie_within_the_tensor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
