/* compare_test.c - right and wrong, told apart by real outputs: the edges of the tolerance, each
 * kind of wrong. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/judge/compare.h"
#include "core/judge/fill_inside.h"
#include "core/judge/number.h"

static const struct aisp_philox key = { { 3, 1 }, { 4, 1 } };
enum { N = 1003 };

/* f32 outputs with a truth that varies. */
struct scene {
    float got[N];
    double truth[N];
    struct aisp_comparing c;
    struct aisp_comparison answer;
};

static struct scene scene_of(double relative)
{
    const struct aisp_filling what = { { AISP_NORMAL, 0, 1 }, AISP_F32, N, key };
    struct scene s = { .c = { .dtype = AISP_F32, .n = N, .relative = relative, .poison = &key } };

    aisp_fill(&what, s.got, 0, N);
    for (int i = 0; i < N; i++)
        s.truth[i] = s.got[i];
    return s;
}

/* Both paths give the same answer, to the bit. */
static const struct aisp_comparison *judged(struct scene *s)
{
    struct aisp_comparison portable;

    s->c.got = s->got;
    s->c.truth = s->truth;
    aisp_compare_by(false, &s->c, &portable);
    aisp_compare(&s->c, &s->answer);
    assert_int_equal(portable.kind, s->answer.kind);
    assert_int_equal(portable.n_wrong, s->answer.n_wrong);
    assert_int_equal(portable.first_wrong, s->answer.first_wrong);
    assert_true(portable.worst == s->answer.worst);
    assert_true(portable.norm_error == s->answer.norm_error);
    assert_true(portable.max_abs_error == s->answer.max_abs_error);
    return &s->answer;
}

static void equal_outputs_are_right_and_have_no_error(void **unused)
{
    struct scene s = scene_of(0);
    const struct aisp_comparison *a = judged(&s);

    (void)unused;
    assert_int_equal(a->kind, AISP_RIGHT);
    assert_int_equal(a->n_compared, N);
    assert_int_equal(a->first_wrong, -1);
    assert_true(a->worst == 0);
    assert_true(a->norm_error == 0);
}

static void an_element_just_inside_is_right_and_just_outside_is_wrong(void **unused)
{
    struct scene s = scene_of(1e-4);
    const double rms = aisp_compare_rms(false, s.truth, N);

    (void)unused;
    for (int i = 0; i < N; i += 97) {
        const double r = s.truth[i], allowed = 1e-4 * fmax(fabs(r), rms);
        float inside = (float)(r + allowed);

        if (inside - r > allowed)
            inside = nextafterf(inside, -INFINITY);
        s.got[i] = inside;
        assert_int_equal(judged(&s)->kind, AISP_RIGHT);
        assert_true(s.answer.worst <= 1 && s.answer.worst > 0.99);
        s.got[i] = nextafterf(inside, INFINITY);
        assert_int_equal(judged(&s)->kind, AISP_WRONG_VALUE);
        assert_int_equal(s.answer.first_wrong, i);
        assert_true(s.answer.expected == r && s.answer.seen == s.got[i]);
        assert_true(fabs(s.answer.allowed - allowed) < 1e-12);
        assert_true(s.answer.worst > 1);
        s.got[i] = (float)r;
    }
}

static void a_small_truth_is_allowed_the_error_of_the_rms(void **unused)
{
    struct scene s = scene_of(1e-4);

    (void)unused;
    s.truth[500] = 0;
    s.got[500] = 0.9e-4f;
    assert_int_equal(judged(&s)->kind, AISP_RIGHT);
    s.got[500] = 1.1e-4f;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_VALUE);
}

static void exact_means_exact_but_for_the_sign_of_zero(void **unused)
{
    struct scene s = scene_of(0);

    (void)unused;
    s.truth[7] = 0;
    s.got[7] = -0.0f;
    assert_int_equal(judged(&s)->kind, AISP_RIGHT);
    s.got[8] = nextafterf(s.got[8], 9);
    assert_int_equal(judged(&s)->kind, AISP_WRONG_VALUE);
    assert_true(isinf(s.answer.worst));
}

static void nan_is_wrong_wherever_it_stands(void **unused)
{
    (void)unused;
    for (int i = 0; i < N; i += 59) {
        struct scene s = scene_of(1e-3);

        s.got[i] = NAN;
        assert_int_equal(judged(&s)->kind, AISP_WRONG_NAN);
        assert_int_equal(s.answer.n_nan, 1);
        assert_int_equal(s.answer.first_wrong, i);
    }
}

static void nan_and_inf_are_right_only_where_the_truth_has_them(void **unused)
{
    struct scene s = scene_of(1e-3);

    (void)unused;
    s.truth[10] = NAN;
    s.got[10] = NAN;
    s.truth[20] = -INFINITY;
    s.got[20] = -INFINITY;
    assert_int_equal(judged(&s)->kind, AISP_RIGHT);
    s.got[20] = INFINITY;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_INF);
    s.got[20] = FLT_MAX;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_VALUE);
    s.got[20] = -INFINITY;
    s.got[10] = 1;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_VALUE);
    s.got[10] = NAN;
    s.got[30] = INFINITY;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_INF);
    assert_int_equal(s.answer.n_inf, 1);
}

static void a_truth_beyond_the_type_is_inf_there(void **unused)
{
    struct scene s = scene_of(1e-3);

    (void)unused;
    s.truth[3] = 1e39;
    s.got[3] = INFINITY;
    assert_int_equal(judged(&s)->kind, AISP_RIGHT);
}

static void poison_is_unwritten_even_where_the_truth_is_nan(void **unused)
{
    struct scene s = scene_of(1e-3);
    float poison[N];

    (void)unused;
    aisp_poison(poison, sizeof poison, AISP_F32, &key);
    memcpy(s.got + 900, poison + 900, sizeof poison - 900 * sizeof *poison);
    assert_int_equal(judged(&s)->kind, AISP_WRONG_UNWRITTEN);
    assert_int_equal(s.answer.n_unwritten, N - 900);
    assert_int_equal(s.answer.n_nan, 0);
    assert_int_equal(s.answer.first_wrong, 900);

    s = scene_of(1e-3);
    s.truth[33] = NAN;
    s.got[33] = poison[33];
    assert_int_equal(judged(&s)->kind, AISP_WRONG_UNWRITTEN);
}

/* As they come from a run: some rows of a tensor whose poison began far before. */
static void poison_is_found_by_its_place_in_the_whole_tensor(void **unused)
{
    struct scene s = scene_of(1e-3);
    float poison[2 * N];

    (void)unused;
    aisp_poison(poison, sizeof poison, AISP_F32, &key);
    s.c.first = 501;
    memcpy(s.got + 5, poison + 506, 3 * sizeof *poison);
    assert_int_equal(judged(&s)->kind, AISP_WRONG_UNWRITTEN);
    assert_int_equal(s.answer.first_wrong, 506);
    assert_int_equal(s.answer.n_unwritten, 3);
}

static void one_value_everywhere_is_constant(void **unused)
{
    struct scene s = scene_of(1e-3);

    (void)unused;
    for (int i = 0; i < N; i++)
        s.got[i] = 0.25f;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_CONSTANT);
    s.got[N - 1] = 0.5f;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_VALUE);
    for (int i = 0; i < N; i++) {
        s.got[i] = 0.25f;
        s.truth[i] = 1;
    }
    assert_int_equal(judged(&s)->kind, AISP_WRONG_VALUE);
}

static void an_error_everywhere_inside_may_be_outside_as_a_whole(void **unused)
{
    struct scene s = scene_of(1e-3);

    (void)unused;
    for (int i = 0; i < N; i++)
        s.got[i] = (float)(s.truth[i] * (1 + 5e-4));
    s.c.norm = 6e-4;
    assert_int_equal(judged(&s)->kind, AISP_RIGHT);
    assert_true(fabs(s.answer.norm_error - 5e-4) < 1e-6);
    s.c.norm = 4e-4;
    assert_int_equal(judged(&s)->kind, AISP_WRONG_NORM);
}

static void huge_and_tiny_truths_allow_no_more_than_others(void **unused)
{
    static const double size[] = { 1e200, 1e-200, 1e-310 };
    double truth[64], got[64];

    (void)unused;
    for (int k = 0; k < 3; k++) {
        struct aisp_comparing c = {
            .dtype = AISP_F64, .got = got, .truth = truth, .n = 64, .relative = 1e-9, .norm = 1e-9
        };
        struct aisp_comparison a;

        for (int i = 0; i < 64; i++)
            truth[i] = got[i] = size[k] * (1 + i / 64.0);
        aisp_compare(&c, &a);
        assert_int_equal(a.kind, AISP_RIGHT);
        got[9] *= 1.001;
        aisp_compare(&c, &a);
        assert_int_equal(a.kind, AISP_WRONG_VALUE);
        assert_int_equal(a.first_wrong, 9);
    }
}

static void every_type_is_compared_in_its_own_format(void **unused)
{
    (void)unused;
    for (int d = AISP_F64; d <= AISP_U8; d++) {
        const enum aisp_dtype dtype = (enum aisp_dtype)d;
        const struct aisp_filling what = { { AISP_INTEGERS, 1, 9 }, dtype, N, key };
        double truth[N], values[N];
        int64_t whole[N];
        char got[N * 8];
        struct aisp_comparing c = { .dtype = dtype,
                                    .got = got,
                                    .n = N,
                                    .truth = aisp_dtype_is_float(dtype) ? (void *)truth
                                                                        : (void *)whole };
        struct aisp_comparison a;

        aisp_fill(&what, got, 0, N);
        for (int i = 0; i < N; i++) {
            values[i] = aisp_dtype_is_float(dtype) ? aisp_number_load(got, i, dtype)
                                                   : (double)aisp_integer_load(got, i, dtype);
            truth[i] = values[i];
            whole[i] = (int64_t)values[i];
        }
        aisp_compare(&c, &a);
        assert_int_equal(a.kind, AISP_RIGHT);
        truth[77] += 1;
        whole[77] += 1;
        aisp_compare(&c, &a);
        assert_int_equal(a.kind, AISP_WRONG_VALUE);
        assert_int_equal(a.first_wrong, 77);
        assert_true(a.seen == values[77] && a.expected == values[77] + 1);
    }
}

static void whole_numbers_may_differ_by_their_ulps_and_no_more(void **unused)
{
    int64_t got[4] = { INT64_MAX, INT64_MIN, 5, -5 }, truth[4] = { INT64_MAX, INT64_MIN, 5, -5 };
    struct aisp_comparing c = {
        .dtype = AISP_I64, .got = got, .truth = truth, .n = 4, .relative = 2
    };
    struct aisp_comparison a;

    (void)unused;
    got[0] -= 2;
    got[3] += 2;
    aisp_compare(&c, &a);
    assert_int_equal(a.kind, AISP_RIGHT);
    assert_true(a.worst == 1);
    got[3]++;
    aisp_compare(&c, &a);
    assert_int_equal(a.kind, AISP_WRONG_VALUE);
    got[3] = -5;
    got[0] = INT64_MIN;
    aisp_compare(&c, &a);
    assert_int_equal(a.first_wrong, 0);
    got[0] = INT64_MAX - 1;
    c.relative = 0;
    aisp_compare(&c, &a);
    assert_int_equal(a.n_wrong, 1);
}

static void a_wrong_byte_is_not_called_unwritten_by_chance(void **unused)
{
    uint8_t got[N], poison[N];
    int64_t truth[N];
    struct aisp_comparing c = {
        .dtype = AISP_U8, .got = got, .truth = truth, .n = N, .poison = &key
    };
    struct aisp_comparison a;

    (void)unused;
    aisp_poison(poison, sizeof poison, AISP_U8, &key);
    for (int i = 0; i < N; i++) {
        truth[i] = i & 255;
        got[i] = (uint8_t)(i + 1);
    }
    got[0] = poison[0];
    truth[0] = poison[0] ^ 1;
    aisp_compare(&c, &a);
    assert_int_equal(a.kind, AISP_WRONG_VALUE);
    memcpy(got, poison, N);
    aisp_compare(&c, &a);
    assert_int_equal(a.kind, AISP_WRONG_UNWRITTEN);
}

static void wrong_elements_are_counted_all(void **unused)
{
    struct scene s = scene_of(1e-3);

    (void)unused;
    for (int i = 0; i < N; i += 2)
        s.got[i] += 1;
    assert_int_equal(judged(&s)->n_wrong, (N + 1) / 2);
    assert_int_equal(s.answer.kind, AISP_WRONG_VALUE);
    assert_true(fabs(s.answer.max_abs_error - 1) < 1e-6);
}

/* Through the problem: y[r] = sum of row r. */
static const struct aisp_param params[] = { { "rows", 40, 40, 0, 1, 40, 1 },
                                            { "cols", 30, 30, 0, 1, 30, 1 },
                                            { 0 } };
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void row_sums(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    assert_int_equal(out, 1);
    for (int64_t r = first; r < first + n; r++, y++) {
        *y = 0;
        for (int64_t c = 0; c < in->param[1]; c++)
            *y += x[r * in->param[1] + c];
    }
}

/* Any output whose sum is that of the first row, as an example of many right answers. */
static int64_t sum_is_kept(const struct aisp_view *in, const void *const *out, char *why,
                           int why_size)
{
    const float *x = in->tensor[0], *y = out[0];
    double sum = 0;

    for (int i = 0; i < 40; i++)
        sum += y[i];
    if (fabs(sum - x[0]) < 1e-3)
        return 0;
    snprintf(why, (size_t)why_size, "the sum is %g, not %g", sum, x[0]);
    return 4;
}

static const struct aisp_problem sums = {
    .abi = AISP_ABI,
    .title = "Row sums",
    .teaches = "sums",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*cols",
    .flops = "rows*cols",
    .tolerance = { .ulps = 2, .length = "cols", .norm = 1, .why = "sums" },
    .reference = row_sums,
};

static void the_judge_asks_for_the_rows_it_was_given(void **unused)
{
    struct aisp_buf scratch = AISP_BUF_INIT;
    struct aisp_comparison a;
    struct aisp_instance inst;
    float x[40 * 30], y[40];
    const void *view[2] = { x, NULL };
    const struct aisp_filling what = { tensors[0].fill, AISP_F32, 40 * 30, key };
    struct aisp_question q = { .inst = &inst,
                               .view = { view, inst.param },
                               .tensor = 1,
                               .first_row = 10,
                               .n_rows = 20,
                               .got = y + 10,
                               .poison = &key };

    (void)unused;
    assert_int_equal(aisp_instance_init(&inst, &sums, AISP_SIZE_DEFAULT, NULL, 0, NULL), AISP_OK);
    aisp_fill(&what, x, 0, what.elements);
    aisp_poison(y, sizeof y, AISP_F32, &key);
    for (int r = 10; r < 30; r++) {
        y[r] = 0;
        for (int c = 0; c < 30; c++)
            y[r] += x[r * 30 + c];
    }
    aisp_judge(&q, &scratch, &a);
    assert_int_equal(a.kind, AISP_RIGHT);
    assert_int_equal(a.n_compared, 20);
    q.n_rows = 21;
    aisp_judge(&q, &scratch, &a);
    assert_int_equal(a.kind, AISP_WRONG_UNWRITTEN);
    assert_int_equal(a.first_wrong, 30);
    aisp_buf_release(&scratch);
}

static void an_answer_to_other_contents_is_right_for_those_alone(void **unused)
{
    struct aisp_buf scratch = AISP_BUF_INIT;
    struct aisp_comparison a;
    struct aisp_instance inst;
    float old[40 * 30], new[40 * 30], y[40];
    const void *view[2] = { old, NULL };
    struct aisp_filling what = { tensors[0].fill, AISP_F32, 40 * 30, key };
    const struct aisp_question q = {
        .inst = &inst, .view = { view, inst.param }, .tensor = 1, .n_rows = 40, .got = y
    };
    double truth[40];

    (void)unused;
    assert_int_equal(aisp_instance_init(&inst, &sums, AISP_SIZE_DEFAULT, NULL, 0, NULL), AISP_OK);
    aisp_fill(&what, old, 0, what.elements);
    what.key.key[0]++;
    aisp_fill(&what, new, 0, what.elements);
    row_sums(&q.view, 1, 0, 40, truth);
    for (int r = 0; r < 40; r++)
        y[r] = (float)truth[r];
    aisp_judge(&q, &scratch, &a);
    assert_int_equal(a.kind, AISP_RIGHT);
    view[0] = new;
    aisp_judge(&q, &scratch, &a);
    assert_int_equal(a.kind, AISP_WRONG_VALUE);
    aisp_buf_release(&scratch);
}

static void accept_is_asked_about_whole_outputs(void **unused)
{
    struct aisp_problem problem = sums;
    struct aisp_buf scratch = AISP_BUF_INIT;
    struct aisp_comparison a;
    struct aisp_instance inst;
    float x[40 * 30] = { 3 }, y[40] = { 1, 0, 2 };
    const void *view[2] = { x, NULL }, *all[1] = { y };
    const struct aisp_question q = { .inst = &inst,
                                     .view = { view, inst.param },
                                     .tensor = 1,
                                     .n_rows = 40,
                                     .got = y,
                                     .poison = &key,
                                     .all_out = all };

    (void)unused;
    problem.reference = NULL;
    problem.accept = sum_is_kept;
    assert_int_equal(aisp_instance_init(&inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, NULL),
                     AISP_OK);
    aisp_judge(&q, &scratch, &a);
    assert_int_equal(a.kind, AISP_RIGHT);
    y[5] = 1;
    aisp_judge(&q, &scratch, &a);
    assert_int_equal(a.kind, AISP_WRONG_REJECTED);
    assert_int_equal(a.first_wrong, 3);
    assert_string_equal(a.why, "the sum is 4, not 3");
    aisp_poison(y, sizeof y, AISP_F32, &key);
    aisp_judge(&q, &scratch, &a);
    assert_int_equal(a.kind, AISP_WRONG_UNWRITTEN);
    assert_int_equal(a.n_unwritten, 40);
    aisp_buf_release(&scratch);
}

static void a_tolerance_is_capped_by_its_type(void **unused)
{
    static const struct {
        enum aisp_dtype dtype;
        double cap;
    } caps[] = {
        { AISP_F64, 1e-9 },  { AISP_F32, 1e-3 },    { AISP_F16, 3e-2 },
        { AISP_BF16, 3e-2 }, { AISP_F8E4M3, 0.25 }, { AISP_F8E5M2, 0.25 },
    };
    struct aisp_problem problem = sums;
    struct aisp_instance inst;

    (void)unused;
    assert_int_equal(aisp_instance_init(&inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, NULL),
                     AISP_OK);
    assert_true(aisp_tolerance_relative(&inst, AISP_F32) == 2 * 0x1p-24 * sqrt(30));
    problem.tolerance.ulps = 1e12;
    for (int i = 0; i < 6; i++) {
        assert_true(aisp_tolerance_relative(&inst, caps[i].dtype) == caps[i].cap);
        assert_true(aisp_tolerance_norm(&inst, caps[i].dtype) == caps[i].cap);
    }
    problem.tolerance.ulps = 3;
    assert_true(aisp_tolerance_relative(&inst, AISP_I32) == 3);
}

static void every_kind_of_wrong_has_a_name_of_its_own(void **unused)
{
    (void)unused;
    for (int a = AISP_RIGHT; a <= AISP_WRONG_REJECTED; a++)
        for (int b = AISP_RIGHT; b < a; b++)
            assert_string_not_equal(aisp_wrong_name((enum aisp_wrong)a),
                                    aisp_wrong_name((enum aisp_wrong)b));
    assert_string_equal(aisp_wrong_name(AISP_WRONG_VALUE), "value outside tolerance");
    assert_string_equal(aisp_wrong_name((enum aisp_wrong)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_outputs_are_right_and_have_no_error),
        cmocka_unit_test(an_element_just_inside_is_right_and_just_outside_is_wrong),
        cmocka_unit_test(a_small_truth_is_allowed_the_error_of_the_rms),
        cmocka_unit_test(exact_means_exact_but_for_the_sign_of_zero),
        cmocka_unit_test(nan_is_wrong_wherever_it_stands),
        cmocka_unit_test(nan_and_inf_are_right_only_where_the_truth_has_them),
        cmocka_unit_test(a_truth_beyond_the_type_is_inf_there),
        cmocka_unit_test(poison_is_unwritten_even_where_the_truth_is_nan),
        cmocka_unit_test(poison_is_found_by_its_place_in_the_whole_tensor),
        cmocka_unit_test(one_value_everywhere_is_constant),
        cmocka_unit_test(an_error_everywhere_inside_may_be_outside_as_a_whole),
        cmocka_unit_test(huge_and_tiny_truths_allow_no_more_than_others),
        cmocka_unit_test(every_type_is_compared_in_its_own_format),
        cmocka_unit_test(whole_numbers_may_differ_by_their_ulps_and_no_more),
        cmocka_unit_test(a_wrong_byte_is_not_called_unwritten_by_chance),
        cmocka_unit_test(wrong_elements_are_counted_all),
        cmocka_unit_test(the_judge_asks_for_the_rows_it_was_given),
        cmocka_unit_test(an_answer_to_other_contents_is_right_for_those_alone),
        cmocka_unit_test(accept_is_asked_about_whole_outputs),
        cmocka_unit_test(a_tolerance_is_capped_by_its_type),
        cmocka_unit_test(every_kind_of_wrong_has_a_name_of_its_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
