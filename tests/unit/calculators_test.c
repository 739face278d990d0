/* calculators_test.c - cost of tokens, queues, the roofline and the table of GPUs, against cases worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "commands/utils/gpu_table.h"
#include "commands/utils/queueing.h"
#include "commands/utils/roof.h"
#include "commands/utils/token_cost.h"

static void assert_close(double got, double want, double share)
{
    if (!(fabs(got - want) <= share * fabs(want)))
        fail_msg("%.12g, expected %.12g", got, want);
}

/* ---- cost of a token ---- */

/* 800 W / 1500 tokens/s = 0.53333 J; x 1.5 = 0.8 J at the meter; / 3.6e6 J/kWh x 0.16 $/kWh = 3.5556e-8 $.
 * 3.50 $/h / 3600 s / 1500 tokens/s = 6.4815e-7 $. */
static void a_token_costs_its_energy_and_its_share_of_the_hour(void **state)
{
    const struct aisp_token_cost_spec spec = { 800, 1500, 0.16, 1.5, 3.5 };
    const struct aisp_token_cost cost = aisp_token_cost(&spec);

    (void)state;
    assert_close(cost.device_j, 0.533333333, 1e-8);
    assert_close(cost.meter_j, 0.8, 1e-12);
    assert_close(cost.meter_dollars, 3.55555556e-8, 1e-8);
    assert_close(cost.device_dollars, 2.37037037e-8, 1e-8);
    assert_close(cost.rental_dollars, 6.48148148e-7, 1e-8);
}

static void what_was_not_given_has_no_cost_rather_than_none(void **state)
{
    const struct aisp_token_cost_spec spec = { 800, 1500, 0.16, NAN, NAN };
    const struct aisp_token_cost cost = aisp_token_cost(&spec);

    (void)state;
    assert_true(isnan(cost.meter_j) && isnan(cost.meter_dollars) && isnan(cost.rental_dollars));
    assert_close(cost.device_j, 0.533333333, 1e-8);
}

/* ---- queues ---- */

/* c = 1: C = a. c = 2, a = 1: B(1) = 1/2, B(2) = (1/2) / (2 + 1/2) = 1/5, C = (1/5) / (1 - (1/2)(4/5)) = 1/3.
 * c = 3, a = 2: B(1) = 2/3, B(2) = (4/3) / (2 + 4/3) = 2/5, B(3) = (4/5) / (3 + 4/5) = 4/19,
 * C = (4/19) / (1 - (2/3)(15/19)) = (4/19) / (9/19) = 4/9. */
static void erlang_c_is_as_worked_out_by_hand(void **state)
{
    (void)state;
    assert_close(aisp_erlang_c(1, 0.3), 0.3, 1e-12);
    assert_close(aisp_erlang_c(2, 1), 1.0 / 3, 1e-12);
    assert_close(aisp_erlang_c(3, 2), 4.0 / 9, 1e-12);
    assert_true(aisp_erlang_c(3, 3) == 1);
}

/* c = 1, a = 1/2, service 1 s: P(wait > t) = e^(-t/2) / 2 = 0.01 at t = 2 ln 50 = 7.824 s. Half of the requests do not wait. */
static void quantiles_of_the_wait_are_as_worked_out_by_hand(void **state)
{
    (void)state;
    assert_close(aisp_wait_quantile(1, 0.5, 1, 0.99), 2 * log(50), 1e-12);
    assert_true(aisp_wait_quantile(1, 0.5, 1, 0.5) == 0);
    assert_true(isinf(aisp_wait_quantile(2, 2, 1, 0.99)));
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Requests one by one through four servers at a load of 3: what the formula says must be what happens. */
static void a_queue_that_is_played_waits_as_the_formula_says(void **state)
{
    enum { N = 400000, SERVERS = 4 };
    double *wait = malloc(N * sizeof *wait), free_at[SERVERS] = { 0 }, now = 0;
    uint64_t seed = 1;
    int waited = 0;

    (void)state;
    assert_non_null(wait);
    for (int i = 0; i < N; i++) {
        int first = 0;

        now += -log(uniform(&seed)) / 3;
        for (int s = 1; s < SERVERS; s++)
            first = free_at[s] < free_at[first] ? s : first;
        wait[i] = fmax(0, free_at[first] - now);
        waited += wait[i] > 0;
        free_at[first] = now + wait[i] - log(uniform(&seed));
    }
    qsort(wait, N, sizeof *wait, by_value);
    assert_close((double)waited / N, aisp_erlang_c(SERVERS, 3), 0.03);
    assert_close(wait[(int)(0.99 * N)], aisp_wait_quantile(SERVERS, 3, 1, 0.99), 0.06);
    free(wait);
}

/* 80 requests/s of 500 units at 2500 units/s a card are 16 cards' worth; 16 at once take 16 x 500 / 2500 = 3.2 s each. */
static void cards_are_the_fewest_that_keep_the_wait_short(void **state)
{
    const struct aisp_traffic traffic = { 80, 500, 2500, 16 };
    const double slos[] = { 0.001, 0.1, 0.5, 2 };

    (void)state;
    assert_close(aisp_traffic_cards(&traffic), 16, 1e-12);
    assert_close(aisp_traffic_service_s(&traffic), 3.2, 1e-12);
    assert_int_equal(aisp_traffic_cards_for(&traffic, INFINITY, 0.99), 17);
    for (size_t i = 0; i < sizeof slos / sizeof *slos; i++) {
        const int64_t cards = aisp_traffic_cards_for(&traffic, slos[i], 0.99);

        assert_true(aisp_traffic_wait(&traffic, cards, 0.99) <= slos[i]);
        assert_true(aisp_traffic_wait(&traffic, cards - 1, 0.99) > slos[i]);
    }
}

/* ---- the roofline ---- */

/* 100 GFLOP/s over 20 GB/s: ridge at 5 flop/byte. At 1 flop/byte the roof is 20 GFLOP/s: 10 are half of it, bound by memory.
 * At 10 flop/byte it is 100 GFLOP/s: 25 are a quarter, bound by compute. */
static void a_point_is_bound_by_its_side_of_the_ridge(void **state)
{
    const struct aisp_roof roof = { 100, 20 };
    struct aisp_roof_place place = aisp_roof_place(&roof, 1e6, 1e6, 1e5);

    (void)state;
    assert_close(aisp_roof_ridge(&roof), 5, 1e-12);
    assert_close(place.intensity, 1, 1e-12);
    assert_close(place.gflops, 10, 1e-12);
    assert_close(place.roof_gflops, 20, 1e-12);
    assert_close(place.percent, 50, 1e-12);
    assert_int_equal(place.bound, AISP_ROOF_MEMORY);
    place = aisp_roof_place(&roof, 1e7, 1e6, 4e5);
    assert_close(place.percent, 25, 1e-12);
    assert_int_equal(place.bound, AISP_ROOF_COMPUTE);
}

/* 1e6 bytes in 1e5 ns are 10 GB/s of 20. */
static void what_only_moves_is_measured_against_the_bandwidth(void **state)
{
    const struct aisp_roof roof = { 100, 20 };
    const struct aisp_roof_place place = aisp_roof_place(&roof, 0, 1e6, 1e5);

    (void)state;
    assert_close(place.percent, 50, 1e-12);
    assert_int_equal(place.bound, AISP_ROOF_MEMORY);
}

static void without_a_measured_ceiling_nothing_is_said(void **state)
{
    const struct aisp_roof no_compute = { NAN, 20 }, no_memory = { 100, NAN };

    (void)state;
    assert_true(isnan(aisp_roof_place(&no_compute, 1e6, 1e6, 1e5).percent));
    assert_int_equal(aisp_roof_place(&no_compute, 1e6, 1e6, 1e5).bound, AISP_ROOF_UNKNOWN);
    assert_true(isnan(aisp_roof_place(&no_memory, 1e7, 1e6, 1e5).percent));
    assert_int_equal(aisp_roof_place(&no_memory, 0, 1e6, 1e5).bound, AISP_ROOF_UNKNOWN);
}

/* ---- GPUs ---- */

static void gpus_are_found_by_any_spelling_that_names_one(void **state)
{
    (void)state;
    assert_string_equal(aisp_gpu_find("h100 sxm")->name, "H100-SXM");
    assert_string_equal(aisp_gpu_find("T4")->name, "T4");
    assert_string_equal(aisp_gpu_find("L4")->name, "L4"); /* and not the L40S that begins so */
    assert_string_equal(aisp_gpu_find("a100-80")->name, "A100-80GB");
    assert_null(aisp_gpu_find("H100")); /* two of them */
    assert_null(aisp_gpu_find("H1000"));
    assert_null(aisp_gpu_find(""));
}

/* Halving the width of a number doubles the rate at most, which a sparse figure among dense ones would break. */
static void no_sparse_figure_is_mixed_in(void **state)
{
    (void)state;
    for (size_t i = 0; aisp_gpu_at(i); i++) {
        const struct aisp_gpu *g = aisp_gpu_at(i);
        const double *d = g->dense;

        assert_true(d[AISP_GPU_TF32] == 0 || d[AISP_GPU_BF16] <= 2.1 * d[AISP_GPU_TF32]);
        assert_true(d[AISP_GPU_FP8] <= 2.1 * d[AISP_GPU_FP16]);
        assert_true(d[AISP_GPU_INT8] <= 2.1 * d[AISP_GPU_FP16]);
        assert_true(d[AISP_GPU_FP4] <= 2.1 * d[AISP_GPU_FP8]);
        assert_true(d[AISP_GPU_INT4] <= 2.1 * d[AISP_GPU_INT8]);
        assert_true(g->memory_gb > 0 && g->memory_gbps > 0 && g->link_gbps > 0 && g->power_w > 0 && *g->source);
    }
    assert_true(aisp_gpu_find("H100-SXM")->dense[AISP_GPU_BF16] == 989.4);
}

/* Two ways to one figure: the maker's, and multiprocessors x clock x operations a cycle. A slip in either shows. */
static void gpu_figures_agree_with_their_clocks(void **state)
{
    int n = 0;

    (void)state;
    for (size_t i = 0; aisp_gpu_at(i); i++)
        for (int p = 0; p < AISP_N_GPU_PRECISIONS; p++) {
            const double stated = aisp_gpu_at(i)->dense[p], computed = aisp_gpu_computed(aisp_gpu_at(i), p);

            if (stated <= 0 || computed <= 0)
                continue;
            if (!(fabs(computed / stated - 1) < 0.02))
                fail_msg("%s %s: %g stated, %g computed", aisp_gpu_at(i)->name, aisp_gpu_precision_name(p), stated, computed);
            n++;
        }
    assert_true(n > 50);
    assert_true(aisp_gpu_computed(aisp_gpu_find("B200"), AISP_GPU_BF16) == 0); /* no clock is stated */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_costs_its_energy_and_its_share_of_the_hour),
        cmocka_unit_test(what_was_not_given_has_no_cost_rather_than_none),
        cmocka_unit_test(erlang_c_is_as_worked_out_by_hand),
        cmocka_unit_test(quantiles_of_the_wait_are_as_worked_out_by_hand),
        cmocka_unit_test(a_queue_that_is_played_waits_as_the_formula_says),
        cmocka_unit_test(cards_are_the_fewest_that_keep_the_wait_short),
        cmocka_unit_test(a_point_is_bound_by_its_side_of_the_ridge),
        cmocka_unit_test(what_only_moves_is_measured_against_the_bandwidth),
        cmocka_unit_test(without_a_measured_ceiling_nothing_is_said),
        cmocka_unit_test(gpus_are_found_by_any_spelling_that_names_one),
        cmocka_unit_test(gpu_figures_agree_with_their_clocks),
        cmocka_unit_test(no_sparse_figure_is_mixed_in),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
