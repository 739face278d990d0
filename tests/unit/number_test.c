/* number_test.c - the small floating types: rounding, every code, neighbours. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/instance.h"
#include "core/judge/number.h"

static void small_types_round_to_nearest_even(void **unused)
{
    const struct {
        enum aisp_dtype dtype;
        double x, y;
    } rounding[] = {
        { AISP_F16, 1 + 0x1p-11, 1 },
        { AISP_F16, 1 + 3 * 0x1p-11, 1 + 0x1p-9 },
        { AISP_F16, 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-10 },
        { AISP_F16, 65519, 65504 },
        { AISP_F16, 65520, INFINITY },
        { AISP_F16, 0x1p-25, 0 },
        { AISP_F16, 3 * 0x1p-25, 0x1p-23 },
        { AISP_F16, -0x1p-24, -0x1p-24 },
        { AISP_BF16, 1 + 0x1p-8, 1 },
        { AISP_BF16, 1 + 3 * 0x1p-8, 1 + 0x1p-6 },
        { AISP_BF16, 0x1p-133, 0x1p-133 },
        { AISP_BF16, 1e39, INFINITY },
        { AISP_F8E4M3, 17, 16 },
        { AISP_F8E4M3, 19, 20 },
        { AISP_F8E4M3, 448, 448 },
        { AISP_F8E4M3, 1e9, 448 },
        { AISP_F8E4M3, -0x1p-9, -0x1p-9 },
        { AISP_F8E4M3, 0x1p-10, 0 },
        { AISP_F8E5M2, 9, 8 },
        { AISP_F8E5M2, 11, 12 },
        { AISP_F8E5M2, 57344, 57344 },
        { AISP_F8E5M2, -1e9, -INFINITY },
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rounding / sizeof *rounding; i++)
        assert_true(aisp_number_round(rounding[i].dtype, rounding[i].x) == rounding[i].y);
    assert_true(isnan(aisp_number_round(AISP_F8E4M3, INFINITY)));
    assert_true(isnan(aisp_number_round(AISP_F16, NAN)));
}

static void every_code_of_a_small_type_survives_the_way_there_and_back(void **unused)
{
    static const enum aisp_dtype dtype[] = { AISP_F16, AISP_BF16, AISP_F8E4M3, AISP_F8E5M2 };

    (void)unused;
    for (int d = 0; d < 4; d++) {
        for (uint32_t code = 0; code < 1u << 8 * aisp_dtype_bytes(dtype[d]); code++) {
            const uint16_t in = (uint16_t)code;
            uint16_t out = 0;
            const double x = aisp_number_load(&in, 0, dtype[d]);

            aisp_number_store(&out, 0, dtype[d], x);
            assert_true(isnan(x) ? isnan(aisp_number_load(&out, 0, dtype[d])) : in == out);
        }
    }
}

static void the_number_below_a_bound_is_the_largest_that_fits(void **unused)
{
    (void)unused;
    assert_true(aisp_number_below(AISP_F32, 0.1) <= 0.1);
    assert_true(nextafterf((float)aisp_number_below(AISP_F32, 0.1), INFINITY) > 0.1);
    assert_true(aisp_number_below(AISP_BF16, nextafter(2, 0)) == 2 - 0x1p-7);
    assert_true(aisp_number_above(AISP_BF16, nextafter(2, 3)) == 2 + 0x1p-6);
    assert_true(aisp_number_below(AISP_F8E4M3, -0x1p-11) == -0x1p-9);
    assert_true(aisp_number_below(AISP_F64, 0.1) == 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_types_round_to_nearest_even),
        cmocka_unit_test(every_code_of_a_small_type_survives_the_way_there_and_back),
        cmocka_unit_test(the_number_below_a_bound_is_the_largest_that_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
