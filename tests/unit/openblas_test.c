/* openblas_test.c - which kernels the peers of OpenBLAS may run. The library is played. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "backends/cpu/cpu.h"
#include "kit/openblas.h"

static char core[32];
static int n_threads;

void openblas_set_num_threads(int n)
{
    n_threads = n;
}

char *openblas_get_corename(void)
{
    return core;
}

static enum aisp_status begin(const char *is, int threads)
{
    const struct aisp_setup setup = { .n_threads = threads };

    n_threads = 0;
    snprintf(core, sizeof core, "%s", is);
    return openblas_begin(&setup);
}

static void kernels_from_before_avx2_are_refused_where_there_is_avx2(void **state)
{
    static const char *const old[] = { "Prescott", "Barcelona", "Core2", "Nehalem", "Sandybridge", "PRESCOTT" };
    const enum aisp_status expected = __builtin_cpu_supports("avx2") ? AISP_E_UNAVAILABLE : AISP_OK;

    (void)state;
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        assert_int_equal(begin(old[i], 1), expected);
}

static void kernels_of_this_time_get_the_threads_of_the_harness(void **state)
{
    static const char *const fit[] = { "Haswell", "Zen", "SkylakeX", "Cooperlake", "SapphireRapids", "of tomorrow" };

    (void)state;
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++) {
        assert_int_equal(begin(fit[i], 3), AISP_OK);
        assert_int_equal(n_threads, 3);
    }
    assert_int_equal(begin("Haswell", 0), AISP_OK);
    assert_int_equal(n_threads, 1);
}

static void a_worker_is_told_what_its_core_can(void **state)
{
    (void)state;
    assert_string_equal(cpu_openblas_core(&(struct cpu_simd){ true, true, false }), "SKYLAKEX");
    assert_string_equal(cpu_openblas_core(&(struct cpu_simd){ true, true, true }), "SKYLAKEX");
    assert_string_equal(cpu_openblas_core(&(struct cpu_simd){ false, true, false }), "HASWELL");
    assert_string_equal(cpu_openblas_core(&(struct cpu_simd){ false, true, true }), "ZEN");
    assert_null(cpu_openblas_core(&(struct cpu_simd){ false, false, false }));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_from_before_avx2_are_refused_where_there_is_avx2),
        cmocka_unit_test(kernels_of_this_time_get_the_threads_of_the_harness),
        cmocka_unit_test(a_worker_is_told_what_its_core_can),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
