/* peak_nvml_test.c - what aisp-peak-cuda reads of a card's links, with the fake management library in the place of the real one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <dlfcn.h>

#include "peak_cuda/peak_cuda.h"

static double links_of(const char *bus_id, int *n_links)
{
    char why[PEAK_WHY];

    assert_true(peak_nvml_open(bus_id, why));
    return peak_nvml_nvlink_gbps(n_links);
}

static void links_are_rated_by_their_version(void **state)
{
    int n = 0;

    (void)state;
    assert_float_equal(links_of("0000:01:00.0", &n), 18 * 25, 1e-9);
    assert_int_equal(n, 18);
    assert_float_equal(links_of("0000:03:00.0", &n), 18 * 50, 1e-9);
}

static void hopper_s_links_are_no_faster_than_its_own(void **state)
{
    int n = 0;

    (void)state;
    assert_float_equal(links_of("0000:02:00.0", &n), 18 * 25, 1e-9);
}

static void a_version_nobody_knows_has_no_rate(void **state)
{
    int n = 0;

    (void)state;
    assert_float_equal(links_of("0000:04:00.0", &n), 0, 1e-9);
    assert_int_equal(n, 2);
}

/* Loaded first, it is what the name finds afterwards. */
static int load_fake(void **state)
{
    (void)state;
    setenv("FAKE_NVML_SCRIPT", TESTS_DIR "/fake_nvml/scripts/links", 1);
    return dlopen(BUILD_DIR "/selftest/nvml/libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL) ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_rated_by_their_version),
        cmocka_unit_test(hopper_s_links_are_no_faster_than_its_own),
        cmocka_unit_test(a_version_nobody_knows_has_no_rate),
    };
    return cmocka_run_group_tests(tests, load_fake, NULL);
}
