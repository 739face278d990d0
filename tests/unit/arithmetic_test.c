/* arithmetic_test.c - which ceiling is whose, and calibrations from before some were measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/calibration.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static const struct aisp_calibration measured = {
    .host = "here", .peak_f32_gflops = 100, .peak_f64_gflops = 50, .peak_bf16_gflops = 200, .peak_i8_gops = 400
};

static void two_inputs_of_bytes_are_multiplied_as_bytes(void **state)
{
    const struct aisp_tensor gemm[] = { { .name = "a", .role = AISP_IN, .dtype = AISP_U8 },
                                        { .name = "b", .role = AISP_WEIGHT, .dtype = AISP_I8 },
                                        { .name = "row", .role = AISP_IN, .dtype = AISP_F32 },
                                        { .name = "column", .role = AISP_IN, .dtype = AISP_F32 },
                                        { .name = "c", .role = AISP_OUT, .dtype = AISP_I32 } };

    (void)state;
    assert_int_equal(aisp_arithmetic_of(gemm, COUNT(gemm)), AISP_I8);
    assert_true(aisp_calibration_peak(&measured, AISP_I8) == 400);
}

static void outputs_do_not_say_what_is_multiplied(void **state)
{
    const struct aisp_tensor gemm[] = { { .name = "a", .role = AISP_IN, .dtype = AISP_BF16 },
                                        { .name = "b", .role = AISP_IN, .dtype = AISP_BF16 },
                                        { .name = "c", .role = AISP_OUT, .dtype = AISP_F32 } };

    (void)state;
    assert_int_equal(aisp_arithmetic_of(gemm, COUNT(gemm)), AISP_BF16);
    assert_true(aisp_calibration_peak(&measured, AISP_BF16) == 200);
}

static void packed_weights_that_meet_floats_are_multiplied_as_floats(void **state)
{
    const struct aisp_tensor gemv[] = { { .name = "w", .role = AISP_WEIGHT, .dtype = AISP_U8 },
                                        { .name = "scale", .role = AISP_WEIGHT, .dtype = AISP_F8E4M3 },
                                        { .name = "x", .role = AISP_IN, .dtype = AISP_F32 },
                                        { .name = "y", .role = AISP_OUT, .dtype = AISP_F32 } };

    (void)state;
    assert_int_equal(aisp_arithmetic_of(gemv, COUNT(gemv)), AISP_F32);
}

static void indices_do_not_hide_the_floats_they_point_at(void **state)
{
    const struct aisp_tensor gather[] = { { .name = "at", .role = AISP_IN, .dtype = AISP_I64 },
                                          { .name = "from", .role = AISP_IN, .dtype = AISP_I64 },
                                          { .name = "x", .role = AISP_INOUT, .dtype = AISP_F64 } };

    (void)state;
    assert_int_equal(aisp_arithmetic_of(gather, COUNT(gather)), AISP_F64);
    assert_true(aisp_calibration_peak(&measured, AISP_F64) == 50);
}

static void whole_numbers_and_halves_have_no_measured_ceiling(void **state)
{
    const struct aisp_tensor sum[] = { { .name = "x", .role = AISP_IN, .dtype = AISP_I32 },
                                       { .name = "y", .role = AISP_OUT, .dtype = AISP_F32 } };

    (void)state;
    assert_int_equal(aisp_arithmetic_of(sum, COUNT(sum)), AISP_I32);
    assert_true(aisp_calibration_peak(&measured, AISP_I32) == 0);
    assert_true(aisp_calibration_peak(&measured, AISP_F16) == 0);
}

static void records_that_do_not_say_the_type_are_of_f32(void **state)
{
    (void)state;
    assert_true(aisp_calibration_peak(&measured, 0) == 100);
}

static void an_older_calibration_is_read_and_lacks_only_the_later_peaks(void **state)
{
    static const char *const later[] = { "peak_f64_gflops", "peak_bf16_gflops", "peak_i8_gops" };
    json_t *json = aisp_calibration_to_json(&measured);
    struct aisp_calibration back;

    (void)state;
    assert_int_equal(aisp_calibration_from_json(json, &back, NULL), AISP_OK);
    assert_true(back.peak_i8_gops == 400);
    for (int i = 0; i < COUNT(later); i++)
        assert_int_equal(json_object_del(json, later[i]), 0);
    assert_int_equal(aisp_calibration_from_json(json, &back, NULL), AISP_OK);
    assert_true(back.peak_f32_gflops == 100);
    assert_true(back.peak_bf16_gflops == 0 && back.peak_i8_gops == 0 && back.peak_f64_gflops == 0);
    json_decref(json);
}

static void a_later_peak_of_the_wrong_type_is_refused(void **state)
{
    json_t *json = aisp_calibration_to_json(&measured);
    struct aisp_calibration back;
    struct aisp_err err;

    (void)state;
    json_object_set_new(json, "peak_i8_gops", json_string("fast"));
    assert_int_equal(aisp_calibration_from_json(json, &back, &err), AISP_E_IO);
    assert_non_null(strstr(err.text, "calibration.peak_i8_gops"));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_inputs_of_bytes_are_multiplied_as_bytes),
        cmocka_unit_test(outputs_do_not_say_what_is_multiplied),
        cmocka_unit_test(packed_weights_that_meet_floats_are_multiplied_as_floats),
        cmocka_unit_test(indices_do_not_hide_the_floats_they_point_at),
        cmocka_unit_test(whole_numbers_and_halves_have_no_measured_ceiling),
        cmocka_unit_test(records_that_do_not_say_the_type_are_of_f32),
        cmocka_unit_test(an_older_calibration_is_read_and_lacks_only_the_later_peaks),
        cmocka_unit_test(a_later_peak_of_the_wrong_type_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
