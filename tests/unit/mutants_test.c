/* mutants_test.c - a problem that can tell finds every mutant; one that cannot is seen through. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/judge/judge.h"

static const struct aisp_key key = { { 1, 2, 3, 4 } };

static struct aisp_mutation_score score_of(const struct aisp_problem *problem)
{
    struct aisp_mutation_score score = { 0 };
    struct aisp_instance inst;
    struct aisp_err err = { AISP_OK, "" };

    if (aisp_instance_init(&inst, problem, AISP_SIZE_DEFAULT, NULL, 0, &err) ||
        aisp_mutation_score(&inst, &key, &score, &err))
        fail_msg("%s", err.text);
    return score;
}

static enum aisp_status refusal_of(const struct aisp_problem *problem, struct aisp_err *err)
{
    struct aisp_mutation_score score;
    struct aisp_instance inst;

    assert_int_equal(aisp_instance_init(&inst, problem, AISP_SIZE_DEFAULT, NULL, 0, err), AISP_OK);
    return aisp_mutation_score(&inst, &key, &score, err);
}

static void assert_all_found(const struct aisp_mutation_score *s, int n_mutants, int n_trivial)
{
    if (s->missed[0])
        print_error("missed: %s\n", s->missed);
    assert_string_equal(s->missed, "");
    assert_int_equal(s->n_mutants, n_mutants);
    assert_int_equal(s->n_found, n_mutants);
    assert_int_equal(s->n_trivial, n_trivial);
    assert_int_equal(s->n_trivial_found, n_trivial);
}

static const struct aisp_param params[] = { { "n", 24, 24, 0, 1, 24, 1 },
                                            { "k", 40, 40, 0, 1, 40, 1 },
                                            { 0 } };

static struct aisp_problem problem_of(const struct aisp_tensor *tensors)
{
    return (struct aisp_problem){
        .abi = AISP_ABI,
        .title = "Test",
        .teaches = "tests",
        .goal = AISP_SPEED,
        .param = params,
        .tensor = tensors,
        .bytes = "4*n",
        .flops = "n",
        .tolerance = { .ulps = 0, .why = "values are moved" },
    };
}

/* c = a b: (n, k) times (k, n). */
static const struct aisp_tensor product_tensors[] = {
    { "a", AISP_IN, AISP_F32, "n, k", { AISP_NORMAL, 0, 1 } },
    { "b", AISP_IN, AISP_F32, "k, n", { AISP_NORMAL, 0, 1 } },
    { "c", AISP_OUT, AISP_F32, "n, n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void product(const struct aisp_view *in, int out, int64_t first, int64_t rows, void *to)
{
    const int64_t n = in->param[0], k = in->param[1];
    const float *a = in->tensor[0], *b = in->tensor[1];
    double *c = to;

    assert_int_equal(out, 2);
    for (int64_t r = first; r < first + rows; r++)
        for (int64_t j = 0; j < n; j++, c++) {
            *c = 0;
            for (int64_t i = 0; i < k; i++)
                *c += (double)a[r * k + i] * b[i * n + j];
        }
}

static void a_matrix_product_finds_every_mutant(void **unused)
{
    struct aisp_problem p = problem_of(product_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = product;
    p.tolerance = (struct aisp_tolerance){ .ulps = 2, .length = "k", .why = "sums of k products" };
    score = score_of(&p);
    assert_all_found(&score, 19, 7);
}

/* y[j][i] = x[i][j], bits moved. */
static const struct aisp_tensor transpose_tensors[] = {
    { "x", AISP_IN, AISP_F32, "n, k", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "k, n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void transposed(const struct aisp_view *in, int out, int64_t first, int64_t rows, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t r = first; r < first + rows; r++)
        for (int64_t i = 0; i < in->param[0]; i++)
            *y++ = x[i * in->param[1] + r];
}

static void a_transposition_finds_every_mutant(void **unused)
{
    struct aisp_problem p = problem_of(transpose_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = transposed;
    score = score_of(&p);
    assert_all_found(&score, 19, 6);
}

/* Two outputs of whole numbers, one of them changed in place: x becomes x + w, s the sums of its
 * rows before. */
static const struct aisp_tensor inplace_tensors[] = {
    { "x", AISP_INOUT, AISP_I32, "n, k", { AISP_INTEGERS, -1000, 1000 } },
    { "w", AISP_WEIGHT, AISP_I32, "k", { AISP_INTEGERS, 1, 50 } },
    { "s", AISP_OUT, AISP_I64, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void in_place(const struct aisp_view *in, int out, int64_t first, int64_t rows, void *to)
{
    const int32_t *x = in->tensor[0], *w = in->tensor[1];
    const int64_t k = in->param[1];
    int64_t *y = to;

    for (int64_t r = first; r < first + rows; r++) {
        int64_t sum = 0;

        for (int64_t i = 0; i < k; i++) {
            if (out == 0)
                *y++ = x[r * k + i] + w[i];
            sum += x[r * k + i];
        }
        if (out == 2)
            *y++ = sum;
    }
}

static void outputs_of_whole_numbers_and_in_place_find_every_mutant(void **unused)
{
    struct aisp_problem p = problem_of(inplace_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = in_place;
    score = score_of(&p);
    assert_all_found(&score, 15 + 14, 6 + 7);
}

/* f64 is rounded to f32 and to bf16, f32 and f16 to bf16, the others to nothing. */
static void every_floating_type_finds_its_mutants(void **unused)
{
    static const enum aisp_dtype dtype[] = { AISP_F64,  AISP_F32,    AISP_F16,
                                             AISP_BF16, AISP_F8E4M3, AISP_F8E5M2 };

    (void)unused;
    for (int i = 0; i < 6; i++) {
        struct aisp_tensor tensors[4];
        struct aisp_problem p = problem_of(tensors);
        struct aisp_mutation_score score;

        memcpy(tensors, product_tensors, sizeof tensors);
        tensors[2].dtype = dtype[i];
        p.reference = product;
        p.tolerance = (struct aisp_tolerance){ .ulps = 1, .why = "one rounding of an f64 sum" };
        score = score_of(&p);
        assert_all_found(&score, i == 0 ? 20 : i < 3 ? 19 : 18, 7);
    }
}

static void one_value_everywhere(const struct aisp_view *in, int out, int64_t first, int64_t rows,
                                 void *to)
{
    double *y = to;

    (void)out;
    (void)first;
    for (int64_t i = 0; i < rows * in->param[0]; i++)
        y[i] = 0.5;
}

static void a_problem_whose_output_is_constant_is_seen_through(void **unused)
{
    struct aisp_problem p = problem_of(transpose_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = one_value_everywhere;
    score = score_of(&p);
    assert_int_equal(score.n_trivial - score.n_trivial_found, 2);
    assert_non_null(strstr(score.missed, "y: mean"));
    assert_non_null(strstr(score.missed, "y: shuffled"));
    assert_non_null(strstr(score.missed, "y: all stale"));
    assert_null(strstr(score.missed, "swapped"));
}

static void nothing_but_zeros(const struct aisp_view *in, int out, int64_t first, int64_t rows,
                              void *to)
{
    (void)out;
    (void)first;
    memset(to, 0, (size_t)(rows * in->param[0]) * sizeof(double));
}

static void a_problem_whose_output_is_zero_is_seen_through(void **unused)
{
    struct aisp_problem p = problem_of(transpose_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = nothing_but_zeros;
    score = score_of(&p);
    assert_non_null(strstr(score.missed, "y: zeros"));
}

/* What is allowed without a cap would be 6 %; the type's is 0.1 %. */
static void the_cap_of_a_type_finds_what_a_careless_tolerance_would_let_through(void **unused)
{
    struct aisp_problem p = problem_of(product_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = product;
    p.tolerance = (struct aisp_tolerance){ .ulps = 1e6, .why = "far too much" };
    score = score_of(&p);
    assert_all_found(&score, 19, 7);
}

static void a_call_that_may_do_nothing_is_seen_through(void **unused)
{
    static const struct aisp_tensor tensors[] = {
        { "x", AISP_INOUT, AISP_I32, "n, k", { AISP_INTEGERS, -1000, 1000 } },
        { "w", AISP_WEIGHT, AISP_I32, "k", { AISP_INTEGERS, 0, 1 } },
        { 0 },
    };
    struct aisp_problem p = problem_of(tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = in_place;
    score = score_of(&p);
    assert_non_null(strstr(score.missed, "x: nothing"));
}

/* One number from all: no row can be dropped, nothing swapped, and its mean is itself. */
static const struct aisp_tensor scalar_tensors[] = {
    { "x", AISP_IN, AISP_F32, "n, k", { AISP_UNIFORM, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "1", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void total(const struct aisp_view *in, int out, int64_t first, int64_t rows, void *to)
{
    const float *x = in->tensor[0];
    double sum = 0;

    (void)out;
    (void)first;
    for (int64_t i = 0; i < in->param[0] * in->param[1]; i++)
        sum += x[i];
    for (int64_t i = 0; i < rows; i++)
        ((double *)to)[i] = sum;
}

static void what_cannot_apply_to_one_number_does_not_count(void **unused)
{
    struct aisp_problem p = problem_of(scalar_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = total;
    p.tolerance = (struct aisp_tolerance){ .ulps = 1, .length = "n*k", .why = "a sum" };
    score = score_of(&p);
    assert_all_found(&score, 12, 4);
}

static const struct aisp_tensor copy_tensors[] = {
    { "x", AISP_IN, AISP_F32, "n, k", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "n, k", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void copied(const struct aisp_view *in, int out, int64_t first, int64_t rows, void *to)
{
    const int64_t k = in->param[1];
    const float *x = (const float *)in->tensor[0] + first * k;

    (void)out;
    for (int64_t i = 0; i < rows * k; i++)
        ((double *)to)[i] = x[i];
}

static void a_copy_is_not_blamed_for_being_its_input(void **unused)
{
    struct aisp_problem p = problem_of(copy_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.reference = copied;
    score = score_of(&p);
    assert_all_found(&score, 19, 5);
}

/* A tolerance of 0 for sums that f32 cannot hold. */
static void a_truth_that_its_type_cannot_hold_is_refused(void **unused)
{
    struct aisp_problem p = problem_of(product_tensors);
    struct aisp_err err;

    (void)unused;
    p.reference = product;
    assert_int_equal(refusal_of(&p, &err), AISP_E_REFUSED);
    assert_string_equal(err.text,
                        "tensor c: the truth, rounded to f32, is outside of the tolerance");
}

/* Begins at row 0 wherever it was asked to. */
static void forgets_first(const struct aisp_view *in, int out, int64_t first, int64_t rows,
                          void *to)
{
    (void)first;
    transposed(in, out, 0, rows, to);
}

static void a_truth_that_ignores_where_to_begin_is_refused(void **unused)
{
    struct aisp_problem p = problem_of(transpose_tensors);
    struct aisp_err err;

    (void)unused;
    p.reference = forgets_first;
    assert_int_equal(refusal_of(&p, &err), AISP_E_REFUSED);
    assert_string_equal(err.text,
                        "tensor y: the last row of the truth is another when asked alone");
}

static void an_instance_that_is_too_large_is_refused(void **unused)
{
    static const struct aisp_param large[] = { { "n", 1 << 14, 1, 0, 1, 9, 1 },
                                               { "k", 1 << 14, 1, 0, 1, 9, 1 },
                                               { 0 } };
    struct aisp_problem p = problem_of(transpose_tensors);
    struct aisp_err err;

    (void)unused;
    p.param = large;
    p.reference = transposed;
    assert_int_equal(refusal_of(&p, &err), AISP_E_USAGE);
}

static void the_same_key_gives_the_same_score(void **unused)
{
    struct aisp_problem p = problem_of(transpose_tensors);
    struct aisp_mutation_score a, b;

    (void)unused;
    p.reference = one_value_everywhere;
    a = score_of(&p);
    b = score_of(&p);
    assert_int_equal(a.n_mutants, b.n_mutants);
    assert_int_equal(a.n_found, b.n_found);
    assert_string_equal(a.missed, b.missed);
}

/* y holds the elements of x that are above 0, in any order, then -1s. */
static const struct aisp_tensor compact_tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static int64_t is_compacted(const struct aisp_view *in, const void *const *out, char *why,
                            int why_size)
{
    const float *x = in->tensor[0], *y = out[0];
    int64_t n_above = 0, n = in->param[0];

    for (int64_t i = 0; i < n; i++) {
        int64_t n_x = 0, n_y = 0;

        n_above += x[i] > 0;
        for (int64_t j = 0; j < n; j++) {
            n_x += x[j] == x[i];
            n_y += y[j] == x[i];
        }
        if (x[i] > 0 && n_x != n_y) {
            snprintf(why, (size_t)why_size, "element %lld is missing", (long long)i);
            return i + 1;
        }
    }
    for (int64_t i = n_above; i < n; i++)
        if (y[i] != -1)
            return i + 1;
    return 0;
}

/* Accepts whatever it sees. */
static int64_t is_anything(const struct aisp_view *in, const void *const *out, char *why,
                           int why_size)
{
    (void)in;
    (void)out;
    (void)why;
    (void)why_size;
    return 0;
}

static void accept_finds_trivial_outputs(void **unused)
{
    struct aisp_problem p = problem_of(compact_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.accept = is_compacted;
    score = score_of(&p);
    assert_all_found(&score, 0, 4);
}

static void an_accept_that_says_yes_to_all_is_seen_through(void **unused)
{
    struct aisp_problem p = problem_of(compact_tensors);
    struct aisp_mutation_score score;

    (void)unused;
    p.accept = is_anything;
    score = score_of(&p);
    assert_int_equal(score.n_trivial_found, 0);
    assert_non_null(strstr(score.missed, "y: zeros"));
}

static void accept_finds_the_mutants_of_a_right_output_that_was_given(void **unused)
{
    struct aisp_problem p = problem_of(compact_tensors);
    struct aisp_mutation_score score;
    struct aisp_instance inst;
    struct aisp_err err;
    float x[24], y[24];
    const void *view[2] = { x, NULL }, *right[1] = { y };
    const struct aisp_view in = { view, inst.param };
    int n = 0;

    (void)unused;
    p.accept = is_compacted;
    assert_int_equal(aisp_instance_init(&inst, &p, AISP_SIZE_DEFAULT, NULL, 0, &err), AISP_OK);
    for (int i = 0; i < 24; i++) {
        x[i] = i % 2 ? (float)(i + 0.3) : (float)-i;
        y[i] = -1;
        if (x[i] > 0)
            y[n++] = x[i];
    }
    assert_int_equal(aisp_mutation_score_given(&inst, &in, right, &key, &score, &err), AISP_OK);
    assert_all_found(&score, 11, 5);
    y[0] = 77;
    assert_int_equal(aisp_mutation_score_given(&inst, &in, right, &key, &score, &err),
                     AISP_E_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_product_finds_every_mutant),
        cmocka_unit_test(a_transposition_finds_every_mutant),
        cmocka_unit_test(outputs_of_whole_numbers_and_in_place_find_every_mutant),
        cmocka_unit_test(every_floating_type_finds_its_mutants),
        cmocka_unit_test(a_problem_whose_output_is_constant_is_seen_through),
        cmocka_unit_test(a_problem_whose_output_is_zero_is_seen_through),
        cmocka_unit_test(the_cap_of_a_type_finds_what_a_careless_tolerance_would_let_through),
        cmocka_unit_test(a_call_that_may_do_nothing_is_seen_through),
        cmocka_unit_test(what_cannot_apply_to_one_number_does_not_count),
        cmocka_unit_test(a_copy_is_not_blamed_for_being_its_input),
        cmocka_unit_test(a_truth_that_its_type_cannot_hold_is_refused),
        cmocka_unit_test(a_truth_that_ignores_where_to_begin_is_refused),
        cmocka_unit_test(an_instance_that_is_too_large_is_refused),
        cmocka_unit_test(the_same_key_gives_the_same_score),
        cmocka_unit_test(accept_finds_trivial_outputs),
        cmocka_unit_test(an_accept_that_says_yes_to_all_is_seen_through),
        cmocka_unit_test(accept_finds_the_mutants_of_a_right_output_that_was_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
