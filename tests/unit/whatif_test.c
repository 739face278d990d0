/* whatif_test.c - limits, prices, and what a unit costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/cost.h"
#include "analysis/whatif.h"
#include "tests/unit/result_rows.h"

#pragma GCC diagnostic ignored "-Woverride-init"

static struct aisp_whatif nothing(void)
{
    return (struct aisp_whatif){ { NAN, NAN, NAN, NAN, NAN } };
}

static void limits_that_are_met_fit(void **state)
{
    const struct aisp_result_row row = ROW("b", 2, 1.9, 2.1, .b_memory_bytes = 1000, .b_p99_ns = 50, .b_median_ns = 40,
                                           .b_per_second = 10, .b_energy_j = 8e-7);
    struct aisp_whatif asked = { { 1000, 50, 10, 20, 100 } };
    struct aisp_whatif_answer answer = aisp_whatif_answer(&asked, &row, 3.6); /* 0.001 $/s / 10 units/s * 1e6 = 100 $ */

    (void)state;
    assert_int_equal(answer.fit, AISP_FIT_YES);
    assert_float_equal(answer.figure[AISP_LIMIT_POWER], 20, 1e-9);
    assert_float_equal(answer.figure[AISP_LIMIT_COST], 100, 1e-9);
    for (int i = 0; i < AISP_N_LIMITS; i++) { /* each is able to say no */
        asked = nothing();
        asked.limit[i] = i == AISP_LIMIT_THROUGHPUT ? 10.1 : 0.99 * answer.figure[i];
        assert_int_equal(aisp_whatif_answer(&asked, &row, 3.6).fit, AISP_FIT_NO);
        assert_int_equal(aisp_whatif_answer(&asked, &row, 3.6).missed, 1u << i);
    }
}

static void missing_measurement_never_fits(void **state)
{
    const struct aisp_result_row row = ROW("b", 2, 1.9, 2.1, .b_p99_ns = 50);
    struct aisp_whatif asked = nothing();
    struct aisp_whatif_answer answer = aisp_whatif_answer(&asked, &row, NAN);

    (void)state;
    assert_int_equal(answer.fit, AISP_FIT_YES); /* nothing was asked */
    asked.limit[AISP_LIMIT_MEMORY] = 1e12;
    answer = aisp_whatif_answer(&asked, &row, NAN);
    assert_int_equal(answer.fit, AISP_FIT_MISSING);
    assert_int_equal(answer.missing, 1u << AISP_LIMIT_MEMORY);
    asked.limit[AISP_LIMIT_LATENCY] = 49; /* missed whatever the memory is */
    answer = aisp_whatif_answer(&asked, &row, NAN);
    assert_int_equal(answer.fit, AISP_FIT_NO);
    assert_int_equal(answer.missing, 1u << AISP_LIMIT_MEMORY);
    asked = nothing();
    asked.limit[AISP_LIMIT_COST] = 1e9;
    assert_int_equal(aisp_whatif_answer(&asked, &row, NAN).fit, AISP_FIT_MISSING);
}

static void cost_is_price_over_units(void **state)
{
    /* H100 at 3.50 $/h and 1000 units/s: 3.6 million an hour, 0.9722 $ a million */
    const struct aisp_result_row units = ROW("b", 2, 1.9, 2.1, .a_per_second = 500, .b_per_second = 1000),
                                 calls = ROW("b", 2, 1.9, 2.1, .b_median_ns = 1e6), none = ROW("b", 2, 1.9, 2.1);

    (void)state;
    assert_float_equal(aisp_cost_per_million(&units, AISP_ROW_B, 3.5), 3.5 / 3.6, 1e-12);
    assert_float_equal(aisp_cost_per_million(&units, AISP_ROW_A, 3.5), 7 / 3.6, 1e-12);
    assert_float_equal(aisp_cost_per_million(&calls, AISP_ROW_B, 3.5), 3.5 / 3.6, 1e-12);
    assert_true(isnan(aisp_cost_per_million(&none, AISP_ROW_B, 3.5)));
    assert_true(isnan(aisp_cost_per_million(&units, AISP_ROW_B, NAN)));
}

static void built_in_prices_are_of_gpus(void **state)
{
    static const struct { const char *name; double usd; } table[] = { { "B200", 5.00 }, { "h100", 3.50 }, { "A100", 2.00 },
                                                                      { "L40S", 1.50 }, { "A10G", 1.00 }, { "T4", 0.50 } };
    const struct aisp_result_row h100 = ROW("b", 2, 1, 3, .device = "cuda", .hardware = "nvidia-h100-80gb-hbm3"),
                                 t400 = ROW("b", 2, 1, 3, .device = "cuda", .hardware = "nvidia-t400"),
                                 cpu = ROW("b", 2, 1, 3, .hardware = "host-with-an-h100");
    struct aisp_prices prices;

    (void)state;
    aisp_prices_init(&prices);
    assert_int_equal(prices.n, 6);
    for (size_t i = 0; i < 6; i++)
        assert_float_equal(aisp_prices_find(&prices, table[i].name)->usd_per_hour, table[i].usd, 0);
    assert_null(aisp_prices_find(&prices, "H10"));
    assert_string_equal(aisp_prices_of(&prices, &h100)->name, "H100");
    assert_null(aisp_prices_of(&prices, &t400));
    assert_null(aisp_prices_of(&prices, &cpu));
    aisp_prices_release(&prices);
}

static void given_prices_override(void **state)
{
    const struct aisp_result_row h100 = ROW("b", 2, 1, 3, .device = "cuda", .hardware = "nvidia-h100-80gb"),
                                 cpu = ROW("b", 2, 1, 3, .hardware = "amd-epyc");
    struct aisp_prices prices;

    (void)state;
    aisp_prices_init(&prices);
    assert_int_equal(aisp_prices_add(&prices, "h100=2.5", NULL), AISP_OK);
    assert_float_equal(aisp_prices_of(&prices, &h100)->usd_per_hour, 2.5, 0);
    assert_null(aisp_prices_of(&prices, &cpu));
    assert_int_equal(aisp_prices_add(&prices, "cpu=0.4", NULL), AISP_OK);
    assert_float_equal(aisp_prices_of(&prices, &cpu)->usd_per_hour, 0.4, 0);
    assert_int_equal(aisp_prices_add(&prices, "amd-epyc=0.3", NULL), AISP_OK); /* longer, so nearer */
    assert_float_equal(aisp_prices_of(&prices, &cpu)->usd_per_hour, 0.3, 0);
    assert_float_equal(aisp_prices_of(&prices, &h100)->usd_per_hour, 2.5, 0);
    aisp_prices_release(&prices);
}

static void wrong_prices_are_refused(void **state)
{
    static const char *const wrong[] = { "H100",    "=3",     "H100=",    "H100=free", "H100=3x",
                                         "H100=-1", "H100=0", "H100=nan", "H100=inf" };
    struct aisp_prices prices;
    struct aisp_err err;

    (void)state;
    aisp_prices_init(&prices);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(aisp_prices_add(&prices, wrong[i], &err), AISP_E_USAGE);
    assert_int_equal(prices.n, 6);
    assert_int_equal(aisp_prices_read(&prices, "/nowhere/prices", &err), AISP_E_NOT_FOUND);
    aisp_prices_release(&prices);
}

static void prices_are_read_from_a_file(void **state)
{
    char path[] = "/tmp/aisp-prices-XXXXXX";
    const int fd = mkstemp(path);
    struct aisp_prices prices;
    struct aisp_err err;
    FILE *f;

    (void)state;
    assert_true(fd >= 0);
    f = fdopen(fd, "w");
    assert_non_null(f);
    fputs("# ours\n\n  H100=2.75  \nMI300X=3.1\n", f);
    fflush(f);
    aisp_prices_init(&prices);
    assert_int_equal(aisp_prices_read(&prices, path, &err), AISP_OK);
    assert_float_equal(aisp_prices_find(&prices, "H100")->usd_per_hour, 2.75, 0);
    assert_float_equal(aisp_prices_find(&prices, "mi300x")->usd_per_hour, 3.1, 0);
    fputs("T4 0.3\n", f);
    fclose(f);
    assert_int_equal(aisp_prices_read(&prices, path, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, ":5:"));
    aisp_prices_release(&prices);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_that_are_met_fit),
        cmocka_unit_test(missing_measurement_never_fits),
        cmocka_unit_test(cost_is_price_over_units),
        cmocka_unit_test(built_in_prices_are_of_gpus),
        cmocka_unit_test(given_prices_override),
        cmocka_unit_test(wrong_prices_are_refused),
        cmocka_unit_test(prices_are_read_from_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
