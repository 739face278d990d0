/* calibrate_test.c - a calibration on the scripted device: one disturbance of a yardstick ends nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/fake/fake.h"
#include "core/catalogue.h"
#include "core/run/calibrate.h"

static struct aisp_catalogue catalogue;

/* The harness's own targets, played; without the last of them, which is of hundreds of MiB. */
static int open_catalogue(void **state)
{
    (void)state;
    if (aisp_catalogue_init(&catalogue, BUILD_DIR "/targets", NULL))
        return -1;
    for (size_t i = 0; i < catalogue.n; i++) {
        if (!strcmp(catalogue.target[i].id, "harness:dram"))
            strcpy(catalogue.target[i].id, "harness:gone");
        for (size_t k = 0; k < catalogue.target[i].n_variants; k++)
            strcpy(catalogue.target[i].variant[k].device, "fake");
    }
    return 0;
}

static int close_catalogue(void **state)
{
    (void)state;
    aisp_catalogue_release(&catalogue);
    return 0;
}

static enum aisp_status calibrate(int session, enum aisp_fake_fault fault, struct aisp_calibration *cal, struct aisp_err *err)
{
    const struct aisp_calibrate_spec spec = { .backend = aisp_backend_find("fake"),
                                              .catalogue = &catalogue,
                                              .n_aa_runs = 1,
                                              .aa_time_ns = 50000000,
                                              .secret = { { 3 } } };
    const struct aisp_fake_script script = {
        .seed = 1,
        .variant = { { .name = "baseline", .call_ns = 10000, .noise = 0.002, .slack_ns = 400, .fault = fault, .when = { session, 1 } } },
    };

    aisp_fake_play(&script);
    return aisp_calibrate(&spec, cal, err);
}

static void a_yardstick_that_is_accused_once_is_measured_again(void **state)
{
    struct aisp_calibration cal = { 0 };
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(calibrate(9, AISP_FAKE_CANARY, &cal, &err), AISP_E_NOT_FOUND);
    assert_non_null(strstr(err.text, "harness:dram"));
}

static void a_yardstick_that_is_always_accused_fails(void **state)
{
    struct aisp_calibration cal = { 0 };
    struct aisp_err err = { 0 };

    (void)state;
    assert_int_equal(calibrate(0, AISP_FAKE_CANARY, &cal, &err), AISP_E_WORKER);
    assert_non_null(strstr(err.text, "an honest yardstick was seen"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_yardstick_that_is_accused_once_is_measured_again),
        cmocka_unit_test(a_yardstick_that_is_always_accused_fails),
    };

    return cmocka_run_group_tests(tests, open_catalogue, close_catalogue);
}
