/* workload_test.c - planted contents, rows in two parts, inputs that count, and the facts about them as JSON. */
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
#include "core/judge/overlap.h"
#include "core/judge/plant.h"
#include "core/workload.h"

static const struct aisp_key key = { { 9, 8, 7 } };

enum { Q, K, IMG, M, Y, N_TENSORS };
static const struct aisp_param params[] = {
    { "seq", 16, 16, 0, 1, 16, 1, AISP_SEQUENCE },
    { "cache", 32, 32, 0, 1, 32, 1, AISP_CACHE },
    { "dim", 4, 4, 0, 1, 4, 1 },
    { "width", 8, 8, 0, 1, 8, 1, AISP_RESOLUTION },
    { 0 },
};
static const struct aisp_tensor tensors[] = {
    { "q", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 }, { AISP_NORMAL, 1000, 1 } },
    { "k", AISP_IN, AISP_F32, "cache, dim", { AISP_NORMAL, 0, 1 } },
    { "img", AISP_IN, AISP_F32, "width, 2*width", { AISP_UNIFORM, 2, 4 } },
    { "m", AISP_IN, AISP_U8, "seq, cache", { AISP_MASK, 0.9, 0 } },
    { "y", AISP_OUT, AISP_F32, "seq", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

/* Only q counts. */
static void reference(const struct aisp_view *v, int t, int64_t first, int64_t n, void *to)
{
    (void)t;
    for (int64_t i = 0; i < n; i++)
        ((double *)to)[i] = (double)((const float *)v->tensor[Q])[(first + i) * v->param[2]];
}

static const struct aisp_problem problem = {
    .abi = AISP_ABI,
    .title = "Test",
    .teaches = "tests",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "seq",
    .flops = "~seq",
    .tolerance = { .ulps = 1, .why = "a test" },
    .reference = reference,
};

static struct aisp_instance instance_of(const struct aisp_problem *p)
{
    struct aisp_instance inst;
    struct aisp_err err = { 0 };

    if (aisp_instance_init(&inst, p, AISP_SIZE_DEFAULT, NULL, 0, &err))
        fail_msg("%s", err.text);
    return inst;
}

static bool plant(const struct aisp_instance *inst, enum aisp_plant kind, int t, void *to)
{
    const struct aisp_planting what = { inst, kind, t, aisp_philox_of(&key), key };

    return aisp_plant_make(&what, to);
}

static void the_kinds_follow_from_the_declaration(void **state)
{
    const struct aisp_instance inst = instance_of(&problem);
    enum aisp_plant kind[AISP_N_PLANTS];

    (void)state;
    assert_int_equal(aisp_plants(&inst, kind), 5);
    assert_int_equal(kind[0], AISP_PLANT_STRESS);
    assert_int_equal(kind[4], AISP_PLANT_HIDDEN);
}

static void a_dimension_is_a_parameter_only_if_it_is_nothing_more(void **state)
{
    (void)state;
    assert_int_equal(aisp_param_of_axis(&problem, IMG, 0), 3);
    assert_int_equal(aisp_param_of_axis(&problem, IMG, 1), -1);
    assert_int_equal(aisp_axis_of_param(&problem, M, 1), 1);
    assert_int_equal(aisp_axis_of_param(&problem, Y, 1), -1);
}

/* Which rows of four are larger than the ordinary ones, by which factor. */
static int64_t loud_rows(const float *planted, const float *plain, int64_t rows, float factor,
                         int64_t *last)
{
    int64_t n = 0;

    for (int64_t r = 0; r < rows; r++) {
        if (!memcmp(planted + 4 * r, plain + 4 * r, 4 * sizeof *plain))
            continue;
        for (int i = 0; i < 4; i++)
            assert_true(planted[4 * r + i] == factor * plain[4 * r + i]);
        n++;
        *last = r;
    }
    return n;
}

static void fill_plain(const struct aisp_instance *inst, int t, void *to)
{
    const struct aisp_filling what = { tensors[t].fill, tensors[t].dtype, inst->extent[t].elements,
                                       aisp_philox_of(&key) };

    aisp_fill(&what, to, 0, what.elements);
}

static void a_needle_lies_in_the_old_half(void **state)
{
    const struct aisp_instance inst = instance_of(&problem);
    _Alignas(64) float planted[128 + 64], plain[128 + 64];
    int64_t at = -1;

    (void)state;
    fill_plain(&inst, K, plain);
    assert_true(plant(&inst, AISP_PLANT_NEEDLE, K, planted));
    assert_int_equal(loud_rows(planted, plain, 32, 8, &at), 1);
    assert_in_range(at, 0, 15);
    assert_false(plant(&inst, AISP_PLANT_NEEDLE, Q, planted));
}

static void a_sentinel_is_the_end_of_the_sequence(void **state)
{
    const struct aisp_instance inst = instance_of(&problem);
    _Alignas(64) float planted[64 + 64], plain[64 + 64];
    int64_t at = -1;

    (void)state;
    fill_plain(&inst, Q, plain);
    assert_true(plant(&inst, AISP_PLANT_SENTINEL, Q, planted));
    assert_int_equal(loud_rows(planted, plain, 16, 8, &at), 2);
    assert_int_equal(at, 15);
}

static void a_checkerboard_alternates_along_what_is_a_resolution(void **state)
{
    const struct aisp_instance inst = instance_of(&problem);
    _Alignas(64) float x[128 + 64];

    (void)state;
    assert_true(plant(&inst, AISP_PLANT_CHECKER, IMG, x));
    for (int i = 0; i < 7 * 16; i++)
        assert_true(x[i] != x[i + 16]);
    for (int i = 1; i < 16; i++)
        assert_true(x[i] == x[0]);
    assert_true(fmaxf(x[0], x[16]) == 3.875f && fminf(x[0], x[16]) == 2);
}

static void what_the_mask_hides_is_huge(void **state)
{
    const struct aisp_instance inst = instance_of(&problem);
    _Alignas(64) float planted[128 + 64], plain[128 + 64];
    _Alignas(64) uint8_t mask[512 + 64];
    int n_hidden = 0;

    (void)state;
    fill_plain(&inst, K, plain);
    assert_true(plant(&inst, AISP_PLANT_HIDDEN, K, planted));
    assert_true(plant(&inst, AISP_PLANT_HIDDEN, M, mask));
    for (int c = 0; c < 32; c++) {
        const bool is_huge = planted[4 * c] != plain[4 * c];

        n_hidden += is_huge;
        for (int r = 0; r < 16 && is_huge; r++)
            assert_int_equal(mask[32 * r + c], 0);
    }
    assert_in_range(n_hidden, 1, 20);
}

static void the_same_key_plants_the_same(void **state)
{
    const struct aisp_instance inst = instance_of(&problem);
    _Alignas(64) float a[128 + 64], b[128 + 64];

    (void)state;
    assert_true(plant(&inst, AISP_PLANT_STRESS, Q, a));
    assert_true(plant(&inst, AISP_PLANT_STRESS, Q, b));
    assert_memory_equal(a, b, 64 * sizeof *a);
    assert_true(a[0] > 900);
}

static void shared_rows_are_counted_exactly(void **state)
{
    const int32_t train[][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 }, { 3, 4 }, { 7, 8 } };
    const int32_t test[][2] = { { 2, 1 }, { 9, 9 }, { 3, 4 }, { 7, 8 } };
    const struct aisp_row_range a = { train, 5, 8 }, b = { test, 4, 8 }, none = { test, 2, 8 }, other = { test, 8, 4 };
    int64_t first_train, first_test;

    (void)state;
    assert_int_equal(aisp_overlap_count(&a, &b, &first_train, &first_test), 3);
    assert_int_equal(first_train, 1);
    assert_int_equal(first_test, 2);
    assert_int_equal(aisp_overlap_count(&a, &none, &first_train, &first_test), 0);
    assert_int_equal(first_train, -1);
    assert_int_equal(aisp_overlap_count(&a, &other, &first_train, &first_test), 0);
}

static void an_input_that_does_not_count_is_refused_by_name(void **state)
{
    static const struct aisp_tensor two[] = {
        { "q", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 } },
        { "idle", AISP_WEIGHT, AISP_F32, "dim", { AISP_NORMAL, 0, 1 } },
        { "y", AISP_OUT, AISP_F32, "seq", { AISP_NO_FILL, 0, 0 } },
        { 0 },
    };
    static const struct aisp_tensor one[] = {
        { "q", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 } },
        { "y", AISP_OUT, AISP_F32, "seq", { AISP_NO_FILL, 0, 0 } },
        { 0 },
    };
    struct aisp_problem p = problem;
    struct aisp_instance inst;
    struct aisp_err err = { 0 };

    (void)state;
    p.tensor = two;
    inst = instance_of(&p);
    assert_int_equal(aisp_every_input_counts(&inst, &key, &err), AISP_E_REFUSED);
    assert_non_null(strstr(err.text, "tensor idle: the answer is the same whatever it holds"));
    p.tensor = one;
    inst = instance_of(&p);
    assert_int_equal(aisp_every_input_counts(&inst, &key, &err), AISP_OK);
}

/* The mean of a softmax over a row is 1 / n, whatever the row. */
static void mean_of_softmax(const struct aisp_view *v, int t, int64_t first, int64_t n, void *to)
{
    const float *q = v->tensor[Q];
    const int64_t dim = v->param[2];

    (void)t;
    for (int64_t r = 0; r < n; r++) {
        double total = 0, mean = 0;

        for (int64_t i = 0; i < dim; i++)
            total += exp((double)q[(first + r) * dim + i]);
        for (int64_t i = 0; i < dim; i++)
            mean += exp((double)q[(first + r) * dim + i]) / total / (double)dim;
        ((double *)to)[r] = mean;
    }
}

static void a_degenerate_task_is_refused(void **state)
{
    static const struct aisp_tensor one[] = {
        { "q", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 } },
        { "y", AISP_OUT, AISP_F32, "seq", { AISP_NO_FILL, 0, 0 } },
        { 0 },
    };
    struct aisp_problem p = problem;
    struct aisp_instance inst;
    struct aisp_err err = { 0 };

    (void)state;
    p.tensor = one;
    p.reference = mean_of_softmax;
    inst = instance_of(&p);
    assert_int_equal(aisp_every_input_counts(&inst, &key, &err), AISP_E_REFUSED);
}

static void facts_come_back_from_json(void **state)
{
    struct aisp_workload w, back;
    struct aisp_err err = { 0 };
    json_t *json;

    (void)state;
    memset(&w, 0, sizeof w);
    assert_true(aisp_workload_is_empty(&w));
    w.anatomy[1].kind = AISP_ANATOMY_SHORTER;
    w.anatomy[1].tensor = 3;
    w.anatomy[1].is_tail = true;
    w.anatomy[1].error = INFINITY;
    strcpy(w.anatomy[1].name, "steps");
    strcpy(w.anatomy[1].where, "fewer of them");
    w.repeats[0] = (struct aisp_repeats){ 4, 3, 2 };
    w.mode[1] = (struct aisp_float_mode){ 0x1f80, 0x9fc0 };
    w.subnormals[0].n_out = 17;
    w.overlap = (struct aisp_overlap){ 1, 2, 30, 40, 5, 6, 7 };
    w.second_other = 0.1;
    w.n_planted[1] = 12;
    json = aisp_workload_to_json(&w);
    assert_int_equal(aisp_workload_from_json(json, &back, &err), AISP_OK);
    assert_memory_equal(&w, &back, sizeof w);
    json_object_set_new(json_array_get(json_object_get(json, "sides"), 1), "anatomy",
                        json_object());
    assert_int_equal(aisp_workload_from_json(json, &back, &err), AISP_E_IO);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kinds_follow_from_the_declaration),
        cmocka_unit_test(a_dimension_is_a_parameter_only_if_it_is_nothing_more),
        cmocka_unit_test(a_needle_lies_in_the_old_half),
        cmocka_unit_test(a_sentinel_is_the_end_of_the_sequence),
        cmocka_unit_test(a_checkerboard_alternates_along_what_is_a_resolution),
        cmocka_unit_test(what_the_mask_hides_is_huge),
        cmocka_unit_test(the_same_key_plants_the_same),
        cmocka_unit_test(shared_rows_are_counted_exactly),
        cmocka_unit_test(an_input_that_does_not_count_is_refused_by_name),
        cmocka_unit_test(a_degenerate_task_is_refused),
        cmocka_unit_test(facts_come_back_from_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
