/* sanitizer_test.c - what compute-sanitizer printed, read as a cell: nothing is clean that did not run to its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "commands/sanitizer.h"

#define RIGHT "[{\"machine\": \"NVIDIA H100\", \"result\": \"right\", \"wrong\": null, \"why\": null}]\n"
#define NAME  "========= COMPUTE-SANITIZER\n"

static struct aisp_sanitizer_cell cell_of(const char *printed)
{
    struct aisp_sanitizer_cell cell;

    aisp_sanitizer_read(printed, &cell);
    return cell;
}

static void no_errors_of_a_run_that_ended_is_clean(void **state)
{
    const struct aisp_sanitizer_cell cell = cell_of(NAME RIGHT "========= ERROR SUMMARY: 0 errors\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_CLEAN);
    assert_string_equal(cell.why, "");
}

static void errors_are_counted_and_the_first_is_quoted(void **state)
{
    const struct aisp_sanitizer_cell cell = cell_of(NAME "========= Invalid __global__ write of size 4 bytes\n"
                                                         "=========     at fill(float *, int)+0x70 in fill.cu:12\n" RIGHT
                                                         "========= LEAK SUMMARY: 0 bytes leaked in 0 allocations\n"
                                                         "========= ERROR SUMMARY: 37 errors\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_ERRORS);
    assert_int_equal(cell.errors, 37);
    assert_string_equal(cell.why, "Invalid __global__ write of size 4 bytes");
}

static void a_single_error_is_one(void **state)
{
    (void)state;
    assert_int_equal(cell_of(NAME RIGHT "========= ERROR SUMMARY: 1 error\n").errors, 1);
}

static void a_race_has_a_summary_of_its_own(void **state)
{
    const struct aisp_sanitizer_cell cell =
        cell_of(NAME "========= Error: Race reported between Write access at sum(float *)+0xb0\n" RIGHT
                     "========= RACECHECK SUMMARY: 5 hazards displayed (4 errors, 1 warning)\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_ERRORS);
    assert_int_equal(cell.errors, 4);
    assert_int_equal(cell.warnings, 1);
}

static void one_hazard_that_is_only_a_warning_is_said(void **state)
{
    const struct aisp_sanitizer_cell cell = cell_of(NAME RIGHT "========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_WARNINGS);
    assert_int_equal(cell.warnings, 1);
}

static void no_hazards_are_clean(void **state)
{
    (void)state;
    assert_int_equal(cell_of(NAME RIGHT "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n").state,
                     AISP_SANITIZED_CLEAN);
}

static void zero_errors_of_a_program_that_never_began_is_not_judged(void **state)
{
    const struct aisp_sanitizer_cell cell = cell_of(NAME "========= ERROR SUMMARY: 0 errors\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_NOT_JUDGED);
    assert_string_equal(cell.why, "aisp-plain said nothing");
}

static void a_variant_that_failed_is_not_judged_with_its_reason(void **state)
{
    const struct aisp_sanitizer_cell cell =
        cell_of(NAME "========= Error: Target application terminated before first instrumented API call\n"
                     "[{\"machine\": \"\", \"result\": \"failed\", \"wrong\": null, \"why\": \"no NVIDIA driver here\"}]\n"
                     "========= ERROR SUMMARY: 0 errors\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_NOT_JUDGED);
    assert_string_equal(cell.why, "no NVIDIA driver here");
}

static void a_device_that_the_tool_refuses_is_not_judged(void **state)
{
    const struct aisp_sanitizer_cell cell = cell_of(NAME "========= Error: Device not supported. Please refer to the \"Supported Devices\"\n" RIGHT);

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_NOT_JUDGED);
    assert_string_equal(cell.why, "Error: Device not supported. Please refer to the \"Supported Devices\"");
}

static void errors_count_even_where_the_variant_crashed(void **state)
{
    const struct aisp_sanitizer_cell cell =
        cell_of(NAME "========= Invalid __global__ read of size 4 bytes\n"
                     "[{\"machine\": \"NVIDIA H100\", \"result\": \"failed\", \"wrong\": null, \"why\": \"cuStreamSynchronize\"}]\n"
                     "========= ERROR SUMMARY: 2 errors\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_ERRORS);
    assert_int_equal(cell.errors, 2);
}

static void a_wrong_output_without_errors_is_said(void **state)
{
    const struct aisp_sanitizer_cell cell =
        cell_of(NAME "[{\"machine\": \"x\", \"result\": \"WRONG\", \"wrong\": {\"kind\": \"not written\"}, \"why\": null}]\n"
                     "========= ERROR SUMMARY: 0 errors\n");

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_CLEAN);
    assert_string_equal(cell.why, "its output was wrong: not written");
}

#define HOST_READS "========= Host API memory access error at host access to 0x7fdbcea01000 of size 4,012 bytes\n"       \
                   "=========     Uninitialized access at 0x7fdbcea01000 on access by cudaMemcpy source\n"
#define ERRORS_148 "========= ERROR SUMMARY: 148 errors\n"

static void writes_that_initcheck_does_not_see_are_not_judged(void **state)
{
    const struct aisp_sanitizer_cell cell = cell_of(NAME HOST_READS HOST_READS RIGHT ERRORS_148);

    (void)state;
    assert_int_equal(cell.state, AISP_SANITIZED_NOT_JUDGED);
    assert_non_null(strstr(cell.why, "bulk copies"));
}

static void a_host_read_of_a_wrong_output_is_an_error(void **state)
{
    const char *wrong = "[{\"result\": \"WRONG\", \"wrong\": {\"kind\": \"value\"}, \"why\": null}]\n";
    char *printed = aisp_format("%s%s%s%s", NAME, HOST_READS, wrong, ERRORS_148);

    (void)state;
    assert_int_equal(cell_of(printed).state, AISP_SANITIZED_ERRORS);
    free(printed);
}

static void a_read_of_a_kernel_beside_the_host_s_is_an_error(void **state)
{
    (void)state;
    assert_int_equal(cell_of(NAME HOST_READS "========= Uninitialized __global__ memory read of size 4 bytes\n" RIGHT ERRORS_148).state,
                     AISP_SANITIZED_ERRORS);
}

static void silence_is_not_judged(void **state)
{
    (void)state;
    assert_int_equal(cell_of("").state, AISP_SANITIZED_NOT_JUDGED);
    assert_string_equal(cell_of("").why, "the tool printed no summary");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_errors_of_a_run_that_ended_is_clean),
        cmocka_unit_test(errors_are_counted_and_the_first_is_quoted),
        cmocka_unit_test(a_single_error_is_one),
        cmocka_unit_test(a_race_has_a_summary_of_its_own),
        cmocka_unit_test(one_hazard_that_is_only_a_warning_is_said),
        cmocka_unit_test(no_hazards_are_clean),
        cmocka_unit_test(zero_errors_of_a_program_that_never_began_is_not_judged),
        cmocka_unit_test(a_variant_that_failed_is_not_judged_with_its_reason),
        cmocka_unit_test(a_device_that_the_tool_refuses_is_not_judged),
        cmocka_unit_test(errors_count_even_where_the_variant_crashed),
        cmocka_unit_test(a_wrong_output_without_errors_is_said),
        cmocka_unit_test(writes_that_initcheck_does_not_see_are_not_judged),
        cmocka_unit_test(a_host_read_of_a_wrong_output_is_an_error),
        cmocka_unit_test(a_read_of_a_kernel_beside_the_host_s_is_an_error),
        cmocka_unit_test(silence_is_not_judged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
