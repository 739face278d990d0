/* instance_test.c - extents and counts, drawn values, and every way to be refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/instance.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)in, (void)out, (void)first, (void)n, (void)to;
}

static int64_t accept(const struct aisp_view *in, const void *const *out, char *why, int why_size)
{
    (void)in, (void)out, (void)why, (void)why_size;
    return 0;
}

/* A problem that a test bends in one place. */
struct bendable {
    struct aisp_param param[3];
    struct aisp_tensor tensor[4];
    struct aisp_problem problem;
};

static struct aisp_problem *bendable_init(struct bendable *b)
{
    *b = (struct bendable){
        .param = { { "rows", 64, 5, 512, 32, 128, 16 }, { "cols", 48, 7, 0, 40, 90, 10 } },
        .tensor = { { "x", AISP_IN, AISP_F32, "rows, cols, 2", { AISP_NORMAL, 0, 1 } },
                    { "w", AISP_WEIGHT, AISP_BF16, "cols", { AISP_UNIFORM, -1, 1 } },
                    { "y", AISP_OUT, AISP_F64, "2*rows, cols" } },
        .problem = { .abi = AISP_ABI,
                     .title = "A test",
                     .teaches = "nothing",
                     .bytes = "24*rows*cols + 2*cols",
                     .flops = "~2*rows*cols",
                     .unit = "row",
                     .units = "rows",
                     .tolerance = { .ulps = 4, .length = "cols", .why = "a sum" },
                     .reference = reference },
    };
    b->problem.param = b->param;
    b->problem.tensor = b->tensor;
    return &b->problem;
}

static void every_extent_and_count_is_worked_out(void **state)
{
    struct bendable b;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };

    (void)state;
    assert_int_equal(aisp_instance_init(&inst, bendable_init(&b), AISP_SIZE_DEFAULT, NULL, 0, &err),
                     AISP_OK);
    assert_int_equal(inst.n_params, 2);
    assert_int_equal(inst.n_tensors, 3);
    assert_int_equal(inst.extent[0].n_dims, 3);
    assert_int_equal(inst.extent[0].rows, 64);
    assert_int_equal(inst.extent[0].row_elements, 96);
    assert_int_equal(inst.extent[0].elements, 6144);
    assert_int_equal(inst.extent[0].bytes, 24576);
    assert_int_equal(inst.extent[1].row_elements, 1);
    assert_int_equal(inst.extent[1].bytes, 96);
    assert_int_equal(inst.extent[2].rows, 128);
    assert_int_equal(inst.bytes, 24 * 64 * 48 + 96);
    assert_int_equal(inst.flops, 2 * 64 * 48);
    assert_false(inst.flops_is_floor);
    assert_int_equal(inst.units, 64);
    assert_int_equal(inst.length, 48);
    assert_int_equal(aisp_instance_slot_bytes(&inst), 24576 + 128 * 48 * 8);
    assert_int_equal(aisp_instance_weight_bytes(&inst), 96);
    assert_int_equal(aisp_instance_total_bytes(&inst), 24576 + 128 * 48 * 8 + 96);
}

static void sizes_differ_and_overrides_go_over_them(void **state)
{
    const char *const set[] = { "cols=1000", "cols=11" };
    struct bendable b;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };

    (void)state;
    bendable_init(&b)->flops = "7";
    assert_int_equal(aisp_instance_init(&inst, &b.problem, AISP_SIZE_QUICK, set, 2, &err), AISP_OK);
    assert_int_equal(inst.param[0], 5);
    assert_int_equal(inst.param[1], 11);
    assert_true(inst.flops_is_floor);
    assert_int_equal(aisp_instance_init(&inst, &b.problem, AISP_SIZE_LARGE, NULL, 0, &err),
                     AISP_OK);
    assert_int_equal(inst.param[0], 512);
    assert_int_equal(inst.param[1], 48);
}

static void assert_set_fails(const char *set, const char *line)
{
    struct bendable b;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };

    assert_int_equal(aisp_instance_init(&inst, bendable_init(&b), AISP_SIZE_DEFAULT, &set, 1, &err),
                     AISP_E_USAGE);
    assert_string_equal(err.text, line);
}

static void absurd_overrides_are_refused_with_name_and_value(void **state)
{
    (void)state;
    assert_set_fails("rows=0", "parameter rows=0: must be from 1 to 1099511627776");
    assert_set_fails("rows=-5", "parameter rows=-5: must be from 1 to 1099511627776");
    assert_set_fails("rows=1099511627777",
                     "parameter rows=1099511627777: must be from 1 to 1099511627776");
    assert_set_fails("rows=99999999999999999999999999",
                     "parameter rows=99999999999999999999999999: must be from 1 to 1099511627776");
    assert_set_fails("row=8", "\"row=8\": no such parameter; there are rows, cols");
    assert_set_fails("rows", "\"rows\": a parameter is set by NAME=WHOLE-NUMBER");
    assert_set_fails("rows=", "\"rows=\": a parameter is set by NAME=WHOLE-NUMBER");
    assert_set_fails("rows=8k", "\"rows=8k\": a parameter is set by NAME=WHOLE-NUMBER");
    assert_set_fails("rows= 8", "\"rows= 8\": a parameter is set by NAME=WHOLE-NUMBER");
}

static void overrides_keep_the_steps_that_a_problem_declares(void **state)
{
    const char *const beyond[] = { "rows=1040" }, *const between[] = { "rows=100" }, *const below[] = { "rows=8" };
    struct bendable b;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };

    (void)state;
    bendable_init(&b);
    b.param[0].quick = 16; /* now 16, 32, 64, 128, 512: all in steps of 16 */
    assert_int_equal(aisp_param_step(&b.param[0]), 16);
    assert_int_equal(aisp_param_step(&b.param[1]), 1);
    assert_int_equal(aisp_instance_init(&inst, &b.problem, AISP_SIZE_DEFAULT, beyond, 1, &err), AISP_OK);
    assert_int_equal(inst.param[0], 1040);
    assert_int_equal(aisp_instance_init(&inst, &b.problem, AISP_SIZE_DEFAULT, between, 1, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "parameter rows=100: its values go in steps of 16; the next is 112");
    assert_int_equal(aisp_instance_init(&inst, &b.problem, AISP_SIZE_DEFAULT, below, 1, &err), AISP_E_USAGE);
    assert_string_equal(err.text, "parameter rows=8: its values go in steps of 16; the next is 16");
}

static void products_that_overflow_are_refused_with_the_values(void **state)
{
    const char *const set[] = { "rows=1099511627776", "cols=1099511627776" };
    struct bendable b;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };

    (void)state;
    assert_int_equal(aisp_instance_init(&inst, bendable_init(&b), AISP_SIZE_DEFAULT, set, 2, &err),
                     AISP_E_USAGE);
    assert_string_equal(err.text,
                        "dims of x \"rows, cols, 2\": overflow in the product of the dimensions "
                        "(rows=1099511627776, cols=1099511627776)");
    b.tensor[0].dims = b.tensor[2].dims = "8";
    assert_int_equal(aisp_instance_init(&inst, &b.problem, AISP_SIZE_DEFAULT, set, 2, &err),
                     AISP_E_USAGE);
    assert_string_equal(err.text, "bytes \"24*rows*cols + 2*cols\": overflow at character 8 "
                                  "(rows=1099511627776, cols=1099511627776)");
}

static void dtypes_have_their_sizes_and_roundoffs(void **state)
{
    static const struct {
        enum aisp_dtype dtype;
        const char *name;
        size_t bytes;
        int mantissa;
    } known[] = {
        { AISP_F64, "f64", 8, 53 },      { AISP_F32, "f32", 4, 24 },
        { AISP_F16, "f16", 2, 11 },      { AISP_BF16, "bf16", 2, 8 },
        { AISP_F8E4M3, "f8e4m3", 1, 4 }, { AISP_F8E5M2, "f8e5m2", 1, 3 },
        { AISP_I64, "i64", 8, 0 },       { AISP_I32, "i32", 4, 0 },
        { AISP_I16, "i16", 2, 0 },       { AISP_I8, "i8", 1, 0 },
        { AISP_U8, "u8", 1, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_string_equal(aisp_dtype_name(known[i].dtype), known[i].name);
        assert_int_equal(aisp_dtype_bytes(known[i].dtype), known[i].bytes);
        assert_int_equal(aisp_dtype_is_float(known[i].dtype), known[i].mantissa > 0);
        assert_true(aisp_dtype_roundoff(known[i].dtype) ==
                    (known[i].mantissa ? ldexp(1, -known[i].mantissa) : 0));
    }
    assert_int_equal(aisp_dtype_bytes((enum aisp_dtype)0), 0);
    assert_string_equal(aisp_dtype_name((enum aisp_dtype)99), "?");
    assert_string_equal(aisp_role_name(AISP_INOUT), "inout");
}

static void drawn_values_are_legal_and_cover_their_range(void **state)
{
    struct aisp_key key = { { 9 } };
    struct aisp_dice dice;
    struct bendable b;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };
    unsigned seen_rows = 0, seen_cols = 0;

    (void)state;
    bendable_init(&b);
    aisp_dice_init(&dice, &key);
    for (int i = 0; i < 500; i++) {
        assert_int_equal(aisp_instance_draw(&inst, &b.problem, NULL, &dice, SIZE_MAX, &err), AISP_OK);
        assert_in_range(inst.param[0], 32, 128);
        assert_int_equal(inst.param[0] % 16, 0);
        assert_in_range(inst.param[1], 40, 90);
        assert_int_equal(inst.param[1] % 10, 0);
        seen_rows |= 1u << inst.param[0] / 16;
        seen_cols |= 1u << inst.param[1] / 10;
    }
    assert_int_equal(seen_rows, 0x1fc);
    assert_int_equal(seen_cols, 0x3f0);
}

/* rows is 64, and 512 at large: drawn from 256 to 1024 there. cols has no large value of its own. */
static void a_draw_about_other_values_lies_there_as_others_about_the_default(void **state)
{
    struct aisp_key key = { { 9 } };
    struct aisp_dice dice, same;
    struct bendable b;
    struct aisp_instance inst, other;
    struct aisp_err err = { .text = "" };
    int64_t about[] = { 512, 48 };
    bool is_seen[65] = { false };
    size_t allowed;

    (void)state;
    bendable_init(&b);
    aisp_dice_init(&dice, &key);
    same = dice;
    for (int i = 0; i < 500; i++) {
        assert_int_equal(aisp_instance_draw(&inst, &b.problem, about, &dice, SIZE_MAX, &err), AISP_OK);
        assert_int_equal(aisp_instance_draw(&other, &b.problem, NULL, &same, SIZE_MAX, &err), AISP_OK);
        assert_int_equal(inst.param[0], 8 * other.param[0]);
        assert_int_equal(inst.param[1], other.param[1]);
        is_seen[inst.param[0] / 16] = true;
    }
    assert_true(is_seen[256 / 16] && is_seen[1024 / 16]);
    about[0] = 200; /* no multiple: whole steps all the same */
    for (int i = 0; i < 100; i++) {
        assert_int_equal(aisp_instance_draw(&inst, &b.problem, about, &dice, SIZE_MAX, &err), AISP_OK);
        assert_in_range(inst.param[0], 32 * 200 / 64 - 16, 128 * 200 / 64);
        assert_int_equal((inst.param[0] - 32) % 16, 0);
    }
    about[0] = 32; /* and smaller ones */
    for (int i = 0; i < 100; i++) {
        assert_int_equal(aisp_instance_draw(&inst, &b.problem, about, &dice, SIZE_MAX, &err), AISP_OK);
        assert_in_range(inst.param[0], 16, 64 + 16);
    }
    about[0] = 512;
    allowed = 24 * 64 * 40 + 2 * 40; /* less than any draw needs */
    assert_int_equal(aisp_instance_draw(&inst, &b.problem, about, &dice, allowed, &err), AISP_OK);
    assert_in_range(inst.param[0], 32, 64);
    assert_true(aisp_instance_total_bytes(&inst) <= allowed);
}

static void a_draw_stays_within_the_bytes_that_are_allowed(void **state)
{
    struct aisp_key key = { { 9 } };
    struct aisp_dice dice;
    struct bendable b;
    struct aisp_instance inst;
    struct aisp_err err = { .text = "" };
    /* 24 bytes for each of rows x cols, and cols bf16 weights: 48 x 40 fits, and all that is far above does not. */
    const size_t allowed = 24 * 48 * 40 + 2 * 40, least = 24 * 32 * 40 + 2 * 40;

    (void)state;
    bendable_init(&b);
    aisp_dice_init(&dice, &key);
    for (int i = 0; i < 200; i++) {
        assert_int_equal(aisp_instance_draw(&inst, &b.problem, NULL, &dice, allowed, &err), AISP_OK);
        assert_true(aisp_instance_total_bytes(&inst) <= allowed);
    }
    /* So little that 64 draws of a wide range miss it: the shrinking finds it. */
    b.param[0].high = 32 + 16 * 100000;
    assert_int_equal(aisp_instance_draw(&inst, &b.problem, NULL, &dice, least, &err), AISP_OK);
    assert_int_equal(inst.param[0], 32);
    assert_int_equal(inst.param[1], 40);
    assert_int_equal(aisp_instance_draw(&inst, &b.problem, NULL, &dice, least - 1, &err), AISP_E_USAGE);
    assert_string_equal(
        err.text,
        "the lowest holdout values need 30800 bytes, 30799 are allowed (rows=32, cols=40)");
}

static void a_sound_problem_passes(void **state)
{
    struct bendable b;
    struct aisp_err err = { .text = "untouched" };

    (void)state;
    assert_int_equal(aisp_problem_check(bendable_init(&b), &err), AISP_OK);
    b.problem.reference = NULL;
    b.problem.accept = accept;
    b.problem.unit = b.problem.units = NULL;
    b.tensor[2].role = AISP_INOUT;
    b.tensor[2].fill = b.tensor[0].fill;
    assert_int_equal(aisp_problem_check(&b.problem, &err), AISP_OK);
    assert_string_equal(err.text, "untouched");
}

#define ASSERT_REFUSED(bend, line)                                                                 \
    do {                                                                                           \
        struct bendable b;                                                                         \
        struct aisp_err err = { .text = "" };                                                      \
        bendable_init(&b);                                                                         \
        bend;                                                                                      \
        assert_int_equal(aisp_problem_check(&b.problem, &err), AISP_E_REFUSED);                    \
        assert_string_equal(err.text, line);                                                       \
    } while (0)

static void a_flaw_of_the_problem_is_refused_by_its_field(void **state)
{
    (void)state;
    ASSERT_REFUSED(b.problem.abi = 7, "built against ABI 7, this aisp has ABI 3");
    ASSERT_REFUSED(b.problem.title = NULL, "title is missing");
    ASSERT_REFUSED(b.problem.teaches = "", "teaches is missing");
    ASSERT_REFUSED(b.problem.goal = (enum aisp_goal)9, "goal 9 is unknown");
    ASSERT_REFUSED(b.problem.param = NULL, "param is missing");
    ASSERT_REFUSED(b.problem.tensor = NULL, "tensor is missing");
    ASSERT_REFUSED(b.problem.bytes = NULL, "bytes is missing");
    ASSERT_REFUSED(b.problem.flops = NULL, "flops is missing");
    ASSERT_REFUSED(b.problem.unit = NULL, "unit is missing");
    ASSERT_REFUSED(b.problem.units = NULL, "units is missing");
    ASSERT_REFUSED((b.problem.unit = b.problem.units = NULL, b.problem.goal = AISP_THROUGHPUT),
                   "unit is missing: a throughput counts something");
    ASSERT_REFUSED(b.problem.tolerance.ulps = -1,
                   "tolerance: ulps and norm are finite and not below 0");
    ASSERT_REFUSED(b.problem.tolerance.norm = (double)NAN,
                   "tolerance: ulps and norm are finite and not below 0");
    ASSERT_REFUSED(b.problem.tolerance.why = NULL, "tolerance: why is missing");
    ASSERT_REFUSED(b.problem.reference = NULL, "reference is missing (or accept)");
    ASSERT_REFUSED(b.problem.accept = accept,
                   "both reference and accept are there: one is the truth");
}

static void a_flaw_of_a_parameter_is_refused_by_its_name(void **state)
{
    (void)state;
    ASSERT_REFUSED(b.param[1].name = "rows", "param: \"rows\" stands twice");
    ASSERT_REFUSED(b.param[1].name = "min", "param: \"min\" is no name");
    ASSERT_REFUSED(b.param[1].name = "2x", "param: \"2x\" is no name");
    ASSERT_REFUSED(b.param[0].low = 0, "param rows: holdout range [0, 128] is empty or below 1");
    ASSERT_REFUSED(b.param[0].high = 31, "param rows: holdout range [32, 31] is empty or below 1");
    ASSERT_REFUSED(b.param[0].step = 0, "param rows: step is below 1");
    ASSERT_REFUSED(b.param[0].large = -1, "param rows: large is below 0");
    ASSERT_REFUSED(b.param[0].quick = 0,
                   "parameter rows=0: must be from 1 to 1099511627776, at the quick size");
}

static void a_flaw_of_a_tensor_is_refused_by_its_name(void **state)
{
    (void)state;
    ASSERT_REFUSED(b.tensor[1].name = "x", "tensor: \"x\" stands twice");
    ASSERT_REFUSED(b.tensor[1].name = "", "tensor: \"\" is no name");
    ASSERT_REFUSED(b.tensor[0].role = (enum aisp_role)0, "tensor x: role 0 is unknown");
    ASSERT_REFUSED(b.tensor[0].dtype = (enum aisp_dtype)0, "tensor x: dtype 0 is unknown");
    ASSERT_REFUSED(b.tensor[0].dims = NULL, "tensor x: dims is missing");
    ASSERT_REFUSED(b.tensor[0].fill.kind = AISP_NO_FILL, "tensor x: role in needs a fill");
    ASSERT_REFUSED(b.tensor[1].fill.kind = AISP_NO_FILL, "tensor w: role weight needs a fill");
    ASSERT_REFUSED(b.tensor[2].fill.kind = AISP_NORMAL,
                   "tensor y: role out has no fill, it is poisoned");
    ASSERT_REFUSED(b.tensor[2].role = AISP_WEIGHT, "tensor y: role weight needs a fill");
    ASSERT_REFUSED((b.tensor[2].role = AISP_IN, b.tensor[2].fill = b.tensor[0].fill),
                   "tensor: there is no output");
}

static void a_fill_that_the_dtype_cannot_hold_is_refused(void **state)
{
    (void)state;
    ASSERT_REFUSED(b.tensor[0].dtype = AISP_I32, "tensor x: fill: normal needs a floating type");
    ASSERT_REFUSED(b.tensor[0].fill.b = -1, "tensor x: fill: the deviation b is below 0");
    ASSERT_REFUSED(b.tensor[0].fill.b = (double)INFINITY, "tensor x: fill: a or b is not finite");
    ASSERT_REFUSED(b.tensor[1].fill.b = -1, "tensor w: fill: [a, b) is empty");
    ASSERT_REFUSED((b.tensor[0].dtype = AISP_I8,
                    b.tensor[0].fill = (struct aisp_fill){ AISP_INTEGERS, 0, 129 }),
                   "tensor x: fill: [a, b) is too wide for the type");
    ASSERT_REFUSED((b.tensor[0].fill = (struct aisp_fill){ AISP_INTEGERS, 0.25, 0.75 }),
                   "tensor x: fill: [a, b) holds no whole number");
    ASSERT_REFUSED((b.tensor[0].fill = (struct aisp_fill){ AISP_MASK, 1.5, 0 }),
                   "tensor x: fill: the probability a is not in [0, 1]");
    ASSERT_REFUSED((b.tensor[0].fill = (struct aisp_fill){ AISP_TEXT, 0, 80 }),
                   "tensor x: fill: text needs u8");
    ASSERT_REFUSED((b.tensor[0].fill = (struct aisp_fill){ (enum aisp_fill_kind)99, 0, 1 }),
                   "tensor x: fill: unknown kind");
}

static void an_expression_that_fails_anywhere_in_the_range_is_refused(void **state)
{
    (void)state;
    ASSERT_REFUSED(b.tensor[0].dims = "rows, colz",
                   "dims of x \"rows, colz\": unknown name \"colz\" at character 7 (rows=64, "
                   "cols=48), at the default size");
    ASSERT_REFUSED(
        b.tensor[0].dims = "cols, rows-5",
        "dims of x \"cols, rows-5\": dimension 2 is 0 (rows=5, cols=7), at the quick size");
    ASSERT_REFUSED(b.problem.tolerance.length = "rows - 4 - rows/400*600",
                   "tolerance length \"rows - 4 - rows/400*600\" is -92, below 1 (rows=512, "
                   "cols=48), at the large size");
    /* Sound at both ends, not between them: lowest rows with highest cols. */
    ASSERT_REFUSED((b.tensor[0].dims = "40 + rows - min(cols, 80)", b.param[0].value = 64),
                   "dims of x \"40 + rows - min(cols, 80)\": dimension 1 is -8 (rows=32, cols=90), "
                   "in the holdout range");
    ASSERT_REFUSED(b.problem.units = "rows - 5",
                   "units \"rows - 5\" is 0, below 1 (rows=5, cols=7), at the quick size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_extent_and_count_is_worked_out),
        cmocka_unit_test(sizes_differ_and_overrides_go_over_them),
        cmocka_unit_test(absurd_overrides_are_refused_with_name_and_value),
        cmocka_unit_test(overrides_keep_the_steps_that_a_problem_declares),
        cmocka_unit_test(products_that_overflow_are_refused_with_the_values),
        cmocka_unit_test(dtypes_have_their_sizes_and_roundoffs),
        cmocka_unit_test(drawn_values_are_legal_and_cover_their_range),
        cmocka_unit_test(a_draw_about_other_values_lies_there_as_others_about_the_default),
        cmocka_unit_test(a_draw_stays_within_the_bytes_that_are_allowed),
        cmocka_unit_test(a_sound_problem_passes),
        cmocka_unit_test(a_flaw_of_the_problem_is_refused_by_its_field),
        cmocka_unit_test(a_flaw_of_a_parameter_is_refused_by_its_name),
        cmocka_unit_test(a_flaw_of_a_tensor_is_refused_by_its_name),
        cmocka_unit_test(a_fill_that_the_dtype_cannot_hold_is_refused),
        cmocka_unit_test(an_expression_that_fails_anywhere_in_the_range_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
