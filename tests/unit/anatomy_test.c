/* anatomy_test.c - each kind of wrong answer is recognised as what it is, and what is not clear is left unnamed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/judge/anatomy.h"
#include "core/judge/fill.h"
#include "core/judge/number.h"

/* y[b][o] = sum over i of x[b][i] w[o][i] m[o][i], `steps` times over. */
enum { X, W, M, Y, N_TENSORS };
enum { BATCH, IN, OUT, STEPS };
static const struct aisp_param params[] = {
    { "batch", 12, 12, 0, 1, 12, 1, AISP_BATCH },
    { "in", 16, 16, 0, 1, 16, 1, AISP_CACHE },
    { "out", 8, 8, 0, 1, 8, 1 },
    { "steps", 5, 5, 0, 1, 5, 1, AISP_STEPS },
    { 0 },
};
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "batch, in", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "out, in", { AISP_NORMAL, 0, 1 } },
    { "m", AISP_IN, AISP_U8, "out, in", { AISP_MASK, 0.5, 0 } },
    { "y", AISP_OUT, AISP_F32, "batch, out", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static void reference(const struct aisp_view *v, int t, int64_t first, int64_t n, void *to)
{
    const float *x = v->tensor[X], *w = v->tensor[W];
    const uint8_t *m = v->tensor[M];
    const int64_t in = v->param[IN], out = v->param[OUT];
    double *y = to;

    assert_int_equal(t, Y);
    for (int64_t b = first; b < first + n; b++)
        for (int64_t o = 0; o < out; o++, y++) {
            *y = 0;
            for (int64_t i = 0; i < in; i++)
                *y += m[o * in + i] ? (double)x[b * in + i] * (double)w[o * in + i] : 0;
            *y *= 1 + 0.25 * (double)v->param[STEPS];
        }
}

static const struct aisp_problem problem = {
    .abi = AISP_ABI,
    .title = "Test",
    .teaches = "tests",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*batch*out",
    .flops = "~batch*out",
    .tolerance = { .ulps = 8, .length = "in", .why = "a test" },
    .reference = reference,
};

struct scene {
    struct aisp_instance inst;
    void *content[N_TENSORS];
    const void *view[N_TENSORS];
    double truth[12 * 8];
    float y[12 * 8];
    struct aisp_philox poison;
};

static void right_answer(struct scene *s, const void *const *view, const int64_t *param, float *y)
{
    reference(&(struct aisp_view){ view, param }, Y, 0, 12, s->truth);
    for (int i = 0; i < 12 * 8; i++)
        y[i] = (float)s->truth[i];
}

static int set_up(void **state)
{
    const struct aisp_key key = { { 5, 6, 7 } };
    struct scene *s = calloc(1, sizeof *s);
    struct aisp_err err = { 0 };

    if (aisp_instance_init(&s->inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, &err))
        fail_msg("%s", err.text);
    for (int t = 0; t < Y; t++) {
        const struct aisp_key own = aisp_key_derive(&key, "t", t, 0, 0, 0);
        const struct aisp_filling what = { tensors[t].fill, tensors[t].dtype,
                                           s->inst.extent[t].elements, aisp_philox_of(&own) };

        s->content[t] = aligned_alloc(64, (s->inst.extent[t].bytes + 127) / 64 * 64);
        aisp_fill(&what, s->content[t], 0, what.elements);
        s->view[t] = s->content[t];
    }
    s->poison = aisp_philox_of(&key);
    right_answer(s, s->view, s->inst.param, s->y);
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *s = *state;

    for (int t = 0; t < Y; t++)
        free(s->content[t]);
    free(s);
    return 0;
}

static struct aisp_anatomy dissect(struct scene *s)
{
    const struct aisp_dissecting what = { &s->inst,   { s->view, s->inst.param }, Y, s->y,
                                          &s->poison, INT64_C(2000000000) };
    struct aisp_anatomy found;

    aisp_dissect(&what, &found);
    return found;
}

/* The right answer where tensor t is changed first. */
static void answer_to(struct scene *s, int t, void (*change)(void *content, int64_t n))
{
    const void *view[N_TENSORS];
    const size_t bytes = s->inst.extent[t].bytes;
    void *own = malloc(bytes);

    memcpy(view, s->view, sizeof view);
    memcpy(own, s->content[t], bytes);
    change(own, s->inst.extent[t].elements);
    view[t] = own;
    right_answer(s, view, s->inst.param, s->y);
    free(own);
}

static void poison_from(struct scene *s, int from)
{
    float pattern[12 * 8];

    aisp_poison(pattern, sizeof pattern, AISP_F32, &s->poison);
    memcpy(s->y + from, pattern + from, sizeof pattern - (size_t)from * sizeof *pattern);
}

static void a_right_answer_has_no_anatomy(void **state)
{
    struct aisp_anatomy a = dissect(*state);

    assert_int_equal(a.n_wrong, 0);
    assert_int_equal(a.n_elements, 96);
}

static void half_a_batch_given_twice_is_a_tail_of_copies(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    memcpy(s->y + 48, s->y, sizeof s->y / 2);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_SLICES);
    assert_int_equal(a.content, AISP_SLICE_COPIES);
    assert_int_equal(a.meaning, AISP_BATCH);
    assert_true(a.is_tail);
    assert_int_equal(a.from, 6);
    assert_int_equal(a.n_slices, 6);
    assert_string_equal(a.name, "batch");
}

static void a_part_that_was_not_written_is_told_from_zeros(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    poison_from(s, 80);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_SLICES);
    assert_int_equal(a.content, AISP_SLICE_UNWRITTEN);
    assert_int_equal(a.from, 10);
    right_answer(s, s->view, s->inst.param, s->y);
    for (int b = 0; b < 12; b++)
        s->y[b * 8 + 6] = s->y[b * 8 + 7] = 0;
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_SLICES);
    assert_int_equal(a.content, AISP_SLICE_ZEROS);
    assert_int_equal(a.from, 6);
}

static void copied_columns_name_their_axis(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    for (int b = 0; b < 12; b++)
        s->y[b * 8 + 3] = s->y[b * 8 + 2];
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_SLICES);
    assert_int_equal(a.axis, 1);
    assert_int_equal(a.meaning, AISP_PLAIN);
    assert_int_equal(a.n_slices, 1);
    assert_false(a.is_tail);
}

static void equal_neighbours_are_half_the_resolution(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    for (int i = 0; i < 96; i += 2)
        s->y[i] = s->y[i + 1] = 0.5f * (s->y[i] + s->y[i + 1]);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_UPSAMPLED);
    assert_int_equal(a.axis, 1);
}

static void a_constant_is_not_half_the_resolution(void **state)
{
    struct scene *s = *state;

    for (int i = 0; i < 96; i++)
        s->y[i] = 1;
    assert_int_equal(dissect(s).kind, AISP_ANATOMY_NONE);
}

static void cut(void *content, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        aisp_number_store(content, i, AISP_F32,
                          aisp_number_round(AISP_BF16, aisp_number_load(content, i, AISP_F32)));
}

static void rounded_weights_are_told_from_rounded_results(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    answer_to(s, W, cut);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_ROUNDED);
    assert_string_equal(a.name, "bf16");
    assert_string_equal(a.where, "weights");
    right_answer(s, s->view, s->inst.param, s->y);
    cut(s->y, 96);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_ROUNDED);
    assert_string_equal(a.name, "bf16");
    assert_string_equal(a.where, "all results are numbers of that type");
}

static void all_ones(void *content, int64_t n)
{
    memset(content, 1, (size_t)n);
}

static void an_ignored_mask_is_recognised(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    answer_to(s, M, all_ones);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_MASK);
    assert_string_equal(a.name, "m");
    assert_string_equal(a.where, "no mask at all");
}

static void two_of_four(void *content, int64_t n)
{
    float *w = content;

    for (int64_t i = 0; i < n; i += 4)
        for (int zeros = 0; zeros < 2; zeros++) {
            int least = -1;

            for (int k = 0; k < 4; k++)
                if (w[i + k] != 0 && (least < 0 || fabsf(w[i + k]) < fabsf(w[i + least])))
                    least = k;
            w[i + least] = 0;
        }
}

static void pruned_weights_are_recognised(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    answer_to(s, W, two_of_four);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_PRUNED);
    assert_string_equal(a.name, "w");
    assert_string_equal(a.where, "two of four zero along the rows");
}

static void fewer_steps_are_counted(void **state)
{
    struct scene *s = *state;
    int64_t param[AISP_MAX_PARAMS];
    struct aisp_anatomy a;

    memcpy(param, s->inst.param, sizeof param);
    param[STEPS] = 3;
    right_answer(s, s->view, param, s->y);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_SHORTER);
    assert_int_equal(a.meaning, AISP_STEPS);
    assert_int_equal(a.from, 3);
    assert_int_equal(a.of, 5);
}

/* The last half of `in`, in x, w and m alike. */
static void a_window_of_the_cache_is_recognised(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;
    float *y = s->y;

    for (int b = 0; b < 12; b++)
        for (int o = 0; o < 8; o++) {
            double sum = 0;

            for (int i = 8; i < 16; i++)
                sum += ((uint8_t *)s->content[M])[o * 16 + i]
                           ? (double)((float *)s->content[X])[b * 16 + i] *
                                 (double)((float *)s->content[W])[o * 16 + i]
                           : 0;
            *y++ = (float)(sum * 2.25);
        }
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_SHORTER);
    assert_string_equal(a.name, "in");
    assert_int_equal(a.meaning, AISP_CACHE);
    assert_int_equal(a.from, 8);
    assert_string_equal(a.where, "the last ones");
}

static void shorten(void *content, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        aisp_number_store(content, i, AISP_F32,
                          aisp_number_round(AISP_F16, aisp_number_load(content, i, AISP_F32)));
}

/* Ten bits of f16 are the ten bits of tf32, as long as the exponents of f16 reach. */
static void formats_that_explain_an_answer_alike_are_both_named(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    answer_to(s, W, shorten);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_ROUNDED);
    assert_string_equal(a.name, "f16 or tf32");
    assert_string_equal(a.where, "weights");
}

static void a_transposed_answer_is_recognised(void **state)
{
    struct scene *s = *state;
    float moved[96];

    for (int b = 0; b < 12; b++)
        for (int o = 0; o < 8; o++)
            moved[o * 12 + b] = s->y[b * 8 + o];
    memcpy(s->y, moved, sizeof moved);
    assert_int_equal(dissect(s).kind, AISP_ANATOMY_TRANSPOSED);
}

static void bytes_of_another_type_are_named(void **state)
{
    struct scene *s = *state;
    uint16_t half[96];
    struct aisp_anatomy a;

    for (int i = 0; i < 96; i++)
        aisp_number_store(half, i, AISP_F16, (double)s->y[i]);
    memcpy(s->y, half, sizeof half);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_BYTES);
    assert_string_equal(a.name, "f16");
}

static void an_input_handed_back_is_named(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    memcpy(s->y, s->content[W], sizeof s->y);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_INPUT);
    assert_string_equal(a.name, "w");
}

static void the_poison_of_other_elements_is_recognised(void **state)
{
    struct scene *s = *state;
    float pattern[96];

    aisp_poison(pattern, sizeof pattern, AISP_F32, &s->poison);
    s->y[17] += pattern[3];
    assert_int_equal(dissect(s).kind, AISP_ANATOMY_LEFTOVER);
    s->y[17] = NAN;
    assert_int_equal(dissect(s).kind, AISP_ANATOMY_NONE);
}

static void scattered_errors_are_left_unnamed(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    s->y[5] *= 1.01f;
    s->y[44] += 1;
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_NONE);
    assert_int_equal(a.n_kinds, 0);
    assert_int_equal(a.n_wrong, 2);
}

static void without_small(void *content, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (((float *)content)[i] < 0.5f)
            ((float *)content)[i] = 0;
}

static void what_fits_two_kinds_is_left_unnamed(void **state)
{
    struct scene *s = *state;
    struct aisp_anatomy a;

    /* The smallest quarter of the weights are those that a causal mask hides. */
    memset(s->content[M], 1, s->inst.extent[M].bytes);
    for (int k = 0; k < 128; k++)
        ((float *)s->content[W])[k] = k % 16 > k / 16 + 8 ? 0.01f : k < 4 ? 0 : (float)(1 + k % 3);
    answer_to(s, W, without_small);
    a = dissect(s);
    assert_int_equal(a.kind, AISP_ANATOMY_NONE);
    assert_int_equal(a.n_kinds, 2);
}

static void subnormals_are_counted(void **state)
{
    const float x[] = { 0, 1e-40f, -1e-45f, 1e-30f, INFINITY, NAN };
    const int32_t i[] = { 1, 2 };

    (void)state;
    assert_int_equal(aisp_count_subnormals(x, AISP_F32, 6), 2);
    assert_int_equal(aisp_count_subnormals(i, AISP_I32, 2), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
/* Whole numbers: sums of the columns of a table of counts. */
static void count_reference(const struct aisp_view *v, int t, int64_t first, int64_t n, void *to)
{
    const int32_t *x = v->tensor[0];
    int64_t *y = to;

    (void)t;
    for (int64_t b = first; b < first + n; b++)
        for (int64_t o = 0; o < v->param[OUT]; o++)
            *y++ = x[b * v->param[OUT] + o] + 1;
}

/* Whatever is wrong with a whole number, it is looked at and no bug of ours: values that any type has, none, all alike. */
static void wrong_whole_numbers_are_dissected_too(void **state)
{
    static const struct aisp_tensor counted[] = {
        { "x", AISP_IN, AISP_I32, "batch, out", { AISP_INTEGERS, 0, 100000 } },
        { "y", AISP_OUT, AISP_I64, "batch, out", { AISP_NO_FILL, 0, 0 } },
        { 0 },
    };
    struct aisp_problem whole = problem;
    const struct aisp_philox poison = { { 1, 2 }, { 3, 4 } };
    struct aisp_instance inst;
    int32_t x[12 * 8];
    int64_t y[12 * 8];
    const void *view[] = { x, NULL };

    (void)state;
    whole.tensor = counted;
    whole.reference = count_reference;
    whole.tolerance = (struct aisp_tolerance){ .why = "whole numbers" };
    assert_int_equal(aisp_instance_init(&inst, &whole, AISP_SIZE_DEFAULT, NULL, 0, NULL), AISP_OK);
    for (int i = 0; i < 12 * 8; i++)
        x[i] = i * 7919 % 100000;
    for (int how = 0; how < 3; how++) {
        const struct aisp_dissecting what = { &inst, { view, inst.param }, 1, y, &poison, INT64_C(2000000000) };
        struct aisp_anatomy found;

        for (int i = 0; i < 12 * 8; i++)
            y[i] = how == 0 ? x[i] : how == 1 ? 256 * (i + 1) : 0;
        aisp_dissect(&what, &found);
        assert_true(found.n_wrong > 0);
        assert_int_not_equal(found.kind, AISP_ANATOMY_ROUNDED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_whole_numbers_are_dissected_too),
        TEST(a_right_answer_has_no_anatomy),
        TEST(half_a_batch_given_twice_is_a_tail_of_copies),
        TEST(a_part_that_was_not_written_is_told_from_zeros),
        TEST(copied_columns_name_their_axis),
        TEST(equal_neighbours_are_half_the_resolution),
        TEST(a_constant_is_not_half_the_resolution),
        TEST(rounded_weights_are_told_from_rounded_results),
        TEST(formats_that_explain_an_answer_alike_are_both_named),
        TEST(an_ignored_mask_is_recognised),
        TEST(pruned_weights_are_recognised),
        TEST(fewer_steps_are_counted),
        TEST(a_window_of_the_cache_is_recognised),
        TEST(a_transposed_answer_is_recognised),
        TEST(bytes_of_another_type_are_named),
        TEST(an_input_handed_back_is_named),
        TEST(the_poison_of_other_elements_is_recognised),
        TEST(scattered_errors_are_left_unnamed),
        TEST(what_fits_two_kinds_is_left_unnamed),
        cmocka_unit_test(subnormals_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
