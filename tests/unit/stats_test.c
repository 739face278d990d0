/* stats_test.c - core/stats on small cases that can be checked by hand, by brute force or against
 * published tables, and on synthetic distributions. Recorded windows are in replay_test.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/stats/stats.h"
#include "tests/replay/replay.h"

#define N(array)          (sizeof(array) / sizeof(array)[0])
#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

/* ---- samples ---- */

static void quantiles_interpolate_between_order_statistics(void **state)
{
    double x[101];
    struct aisp_quantiles q;

    (void)state;
    for (int i = 0; i < 101; i++)
        x[i] = 101 - i; /* 101 .. 1, unsorted on purpose */
    assert_int_equal(aisp_quantiles_of(x, 101, &q, NULL), AISP_OK);
    assert_near(q.p5, 6);
    assert_near(q.p50, 51);
    assert_near(q.p95, 96);
    assert_near(q.p99, 100);
    assert_int_equal(q.n, 101);
    assert_near(x[0], 101); /* the caller's array stays as it is */
    assert_near(aisp_quantile_sorted((const double[]){ 1, 2 }, 2, 0.25), 1.25);
}

static void one_sample_is_all_its_quantiles(void **state)
{
    const double x = 7;
    struct aisp_quantiles q;

    (void)state;
    assert_int_equal(aisp_quantiles_of(&x, 1, &q, NULL), AISP_OK);
    assert_near(q.p5, 7);
    assert_near(q.p99, 7);
}

static void times_that_cannot_be_are_refused(void **state)
{
    const double bad[] = { 0, -1, NAN, INFINITY, -INFINITY };
    struct aisp_quantiles q = { .n = 77 };
    struct aisp_interval ci;
    struct aisp_err err;
    double m = 77;

    (void)state;
    for (size_t i = 0; i < N(bad); i++) {
        const double x[] = { 5, 6, bad[i], 8 };
        const struct aisp_block b[] = { { 5, 5, 5, 5 }, { 5, 5, 5, bad[i] } };

        assert_int_equal(aisp_quantiles_of(x, 4, &q, &err), AISP_E_USAGE);
        assert_non_null(strstr(err.text, "sample 2"));
        assert_int_equal(aisp_quantile_interval(x, 4, 0.5, 0.05, &ci, NULL), AISP_E_USAGE);
        assert_int_equal(aisp_pair_estimate(b, 2, &m, &err), AISP_E_USAGE);
        assert_non_null(strstr(err.text, "block 1"));
    }
    assert_int_equal(aisp_quantiles_of(NULL, 0, &q, NULL), AISP_E_USAGE);
    assert_int_equal(aisp_pair_estimate(NULL, 0, &m, NULL), AISP_E_USAGE);
    assert_int_equal(q.n, 77);
    assert_near(m, 77);
}

static void median_and_mad_take_any_finite_number(void **state)
{
    const double x[] = { -3, 4, 0, 100 };
    double m;

    (void)state;
    assert_int_equal(aisp_median(x, 4, &m, NULL), AISP_OK);
    assert_near(m, 2);
    assert_int_equal(aisp_median(x, 3, &m, NULL), AISP_OK);
    assert_near(m, 0);
    assert_int_equal(aisp_mad(x, 4, &m, NULL), AISP_OK); /* |x - 2| = 5 2 2 98 */
    assert_near(m, 3.5);
    assert_int_equal(aisp_mad((const double[]){ 1, NAN }, 2, &m, NULL), AISP_E_USAGE);
}

static void p99_has_an_interval_from_368_samples_on(void **state)
{
    double x[368];
    struct aisp_interval ci;

    (void)state;
    for (int i = 0; i < 368; i++)
        x[i] = i + 1;
    assert_int_equal(aisp_quantile_interval(x, 367, 0.99, 0.05, &ci, NULL), AISP_OK);
    assert_false(ci.exists);
    assert_true(isinf(ci.hi) && ci.hi > 0 && isinf(ci.lo) && ci.lo < 0);
    assert_int_equal(aisp_quantile_interval(x, 368, 0.99, 0.05, &ci, NULL), AISP_OK);
    assert_true(ci.exists);
    assert_near(ci.hi, 368);
    assert_int_equal(aisp_quantile_interval(x, 10, 0.5, 0.05, &ci, NULL),
                     AISP_OK); /* the sign test's: 2nd to 9th of 10 */
    assert_near(ci.lo, 2);
    assert_near(ci.hi, 9);
    assert_int_equal(aisp_quantile_interval(x, 10, 1, 0.05, &ci, NULL), AISP_E_USAGE);
}

static void quantile_interval_holds_the_true_p99_as_often_as_it_says(void **state)
{
    uint64_t random = 11;
    double x[1000];
    size_t n_held = 0;

    (void)state;
    for (int run = 0; run < 1000; run++) {
        struct aisp_interval ci;

        for (size_t i = 0; i < N(x); i++)
            x[i] = 1 - log(1 - replay_uniform(&random)); /* 1 + exponential */
        assert_int_equal(aisp_quantile_interval(x, N(x), 0.99, 0.05, &ci, NULL), AISP_OK);
        n_held += ci.lo <= 1 + log(100) && 1 + log(100) <= ci.hi;
    }
    assert_in_range(n_held, 940, 985);
}

static void pair_estimate_is_above_zero_when_b_is_faster_and_ignores_a_wild_block(void **state)
{
    const struct aisp_block b[] = { { 102, 102, 100, 100 },
                                    { 102, 102, 100, 100 },
                                    { 102, 102, 300, 100 } };
    double m;

    (void)state;
    assert_int_equal(aisp_pair_estimate(b, 3, &m, NULL), AISP_OK);
    assert_near(m, log(1.02));
}

/* ---- ranks ---- */

/* Two-sided critical values as printed in textbooks (Hollander, Wolfe and Chicken; Zar), 0.05 and
 * 0.01. */
static void wilcoxon_q_agrees_with_published_tables(void **state)
{
    static const struct {
        size_t n;
        long q05, q01;
    } table[] = {
        { 5, -1, -1 },  { 6, 0, -1 },   { 7, 2, -1 },     { 8, 3, 0 },      { 9, 5, 1 },
        { 10, 8, 3 },   { 11, 10, 5 },  { 12, 13, 7 },    { 13, 17, 9 },    { 14, 21, 12 },
        { 15, 25, 15 }, { 16, 29, 19 }, { 17, 34, 23 },   { 18, 40, 27 },   { 19, 46, 32 },
        { 20, 52, 37 }, { 25, 89, 68 }, { 30, 137, 109 }, { 50, 434, 373 },
    };

    (void)state;
    for (size_t i = 0; i < N(table); i++) {
        assert_int_equal(aisp_wilcoxon_q(table[i].n, 0.05), table[i].q05);
        assert_int_equal(aisp_wilcoxon_q(table[i].n, 0.01), table[i].q01);
    }
    assert_int_equal(aisp_wilcoxon_q(10, 0.01 / 6), -1);
    assert_int_equal(aisp_wilcoxon_q(11, 0.01 / 6), 0);
    assert_int_equal(aisp_wilcoxon_q(6, 2.0 / 64), 0);   /* P(T+ <= 0) is alpha/2 exactly */
    assert_int_equal(aisp_wilcoxon_q(0, 0.05), -1);
    assert_int_equal(aisp_wilcoxon_q(50, NAN), -1);
    assert_int_equal(aisp_wilcoxon_q(50, 0), -1);
}

static void wilcoxon_q_agrees_with_all_signs_tried(void **state)
{
    enum { n = 14, range = n * (n + 1) / 2 };
    long count[range + 1] = { 0 };

    (void)state;
    for (int signs = 0; signs < 1 << n; signs++) {
        int t = 0;

        for (int i = 0; i < n; i++)
            t += signs >> i & 1 ? i + 1 : 0;
        count[t]++;
    }
    for (double alpha = 0.001; alpha < 1; alpha *= 1.37) {
        long q = -1, sum = 0;

        for (long w = 0; w <= range && (double)(sum += count[w]) <= alpha / 2 * (1 << n); w++)
            q = w;
        assert_int_equal(aisp_wilcoxon_q(n, alpha), q);
    }
}

static void wilcoxon_q_goes_on_smoothly_where_the_normal_takes_over(void **state)
{
    const double alphas[] = { 0.05, 0.01, 0.01 / 6 };

    (void)state;
    for (size_t i = 0; i < N(alphas); i++) {
        const long step = aisp_wilcoxon_q(AISP_WILCOXON_EXACT_MAX, alphas[i]) -
                          aisp_wilcoxon_q(AISP_WILCOXON_EXACT_MAX - 1, alphas[i]);
        const long jump = aisp_wilcoxon_q(AISP_WILCOXON_EXACT_MAX + 1, alphas[i]) -
                          aisp_wilcoxon_q(AISP_WILCOXON_EXACT_MAX, alphas[i]);

        assert_in_range(jump, step - 12,
                        step + 2); /* q is about 2,500 here; it may only err to the careful side */
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void hodges_lehmann_of_four_numbers_is_right(void **state)
{
    const double m[] = { 3, 1, 10, 2 };
    struct aisp_estimate e;

    (void)state;
    assert_int_equal(aisp_estimate_pairs(m, 4, 0.01, &e, NULL), AISP_OK);
    assert_near(e.centre, 2.75);
    assert_false(e.ci95.exists);
    assert_false(e.ci.exists);
}

static void estimates_agree_with_sorted_walsh_averages_also_with_ties(void **state)
{
    uint64_t random = 3;
    double m[70], walsh[70 * 71 / 2];

    (void)state;
    for (size_t n = 1; n <= 70; n++) {
        const double grain = n % 3 ? 1e-9 : 0.5; /* every third: many ties */
        struct aisp_estimate e;
        size_t k = 0;
        long q;

        for (size_t i = 0; i < n; i++)
            m[i] = grain * floor(replay_normal(&random) / grain);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = i; j < n; j++)
                walsh[k++] = m[i] / 2 + m[j] / 2;
        }
        qsort(walsh, k, sizeof *walsh, ascending);
        assert_int_equal(aisp_estimate_pairs(m, n, 0.01 / 6, &e, NULL), AISP_OK);
        assert_near(e.centre, k % 2 ? walsh[k / 2] : walsh[k / 2 - 1] / 2 + walsh[k / 2] / 2);
        q = aisp_wilcoxon_q(n, 0.05);
        assert_int_equal(e.ci95.exists, q >= 0);
        if (q >= 0) {
            assert_near(e.ci95.lo, walsh[q]);
            assert_near(e.ci95.hi, walsh[k - 1 - (size_t)q]);
        }
        q = aisp_wilcoxon_q(n, 0.01 / 6);
        assert_int_equal(e.ci.exists, q >= 0);
        if (q >= 0) {
            assert_near(e.ci.lo, walsh[q]);
            assert_near(e.ci.hi, walsh[k - 1 - (size_t)q]);
        }
    }
}

static double draw(uint64_t *random, int kind)
{
    if (kind == 0)
        return replay_normal(random);
    if (kind == 1) /* Cauchy: no mean, no variance */
        return tan(M_PI * (replay_uniform(random) - 0.5));
    return (replay_random(random) & 1 ? 5 : -5) + replay_normal(random); /* two modes */
}

static void interval_of_95_percent_holds_the_truth_as_often_as_it_says(void **state)
{
    const size_t sizes[] = { 6, 12, 27 };
    uint64_t random = 5;
    double m[27];

    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        for (size_t s = 0; s < N(sizes); s++) {
            size_t n_held = 0;

            for (int run = 0; run < 4000; run++) {
                struct aisp_estimate e;

                for (size_t i = 0; i < sizes[s]; i++)
                    m[i] = 0.25 + draw(&random, kind);
                assert_int_equal(aisp_estimate_pairs(m, sizes[s], 0.01, &e, NULL), AISP_OK);
                n_held += e.ci95.lo <= 0.25 && 0.25 <= e.ci95.hi;
            }
            assert_in_range(n_held, 3760, 3920); /* 94 to 98 %; n = 6 has 96.9 exactly */
        }
    }
}

static void mann_whitney_agrees_with_a_worked_case_and_knows_ties(void **state)
{
    const double x[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 },
                 y[] = { 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 };
    const double same[] = { 4, 4, 4, 4 };

    (void)state;
    /* U = 0, mean 50, variance 175: z = 49.5 / 13.2288 = 3.7418, two-sided p = 1.83e-4 */
    assert_true(fabs(aisp_mann_whitney_p(x, 10, y, 10) - 1.8267e-4) < 1e-7);
    assert_near(aisp_mann_whitney_p(y, 10, x, 10), aisp_mann_whitney_p(x, 10, y, 10));
    assert_near(aisp_mann_whitney_p(same, 2, same + 2, 2), 1);
    assert_near(aisp_mann_whitney_p(x, 10, x, 10), 1);
    assert_near(aisp_mann_whitney_p(x, 0, x, 10), 1);
}

/* The lady of Fisher's tea, and what no marks, all marks and an empty group say. */
static void binomial_tail_agrees_with_worked_cases(void **state)
{
    (void)state;
    assert_near(aisp_binomial_tail(12, 12, 0.5), 1.0 / 4096);
    assert_near(aisp_binomial_tail(4, 3, 0.25), 13.0 / 256);
    assert_near(aisp_binomial_tail(4, 0, 0.25), 1);
    assert_near(aisp_binomial_tail(0, 0, 0.5), 1);
    assert_near(aisp_binomial_tail(3, 4, 0.5), 0);
}

static void fisher_agrees_with_worked_cases(void **state)
{
    (void)state;
    assert_near(aisp_fisher_p(4, 4, 0, 4), 1.0 / 70);
    assert_near(aisp_fisher_p(3, 4, 1, 4), 17.0 / 70);
    assert_near(aisp_fisher_p(0, 4, 0, 4), 1);
    assert_near(aisp_fisher_p(4, 4, 4, 4), 1);
    assert_near(aisp_fisher_p(4, 4, 0, 0), 1);
    assert_near(aisp_fisher_p(1, 1, 0, 9), 0.1);
}

static void pair_estimates_that_are_no_numbers_are_refused(void **state)
{
    struct aisp_estimate e = { .n = 77 };

    (void)state;
    assert_int_equal(aisp_estimate_pairs((const double[]){ 0, NAN }, 2, 0.01, &e, NULL),
                     AISP_E_USAGE);
    assert_int_equal(aisp_estimate_pairs((const double[]){ INFINITY }, 1, 0.01, &e, NULL),
                     AISP_E_USAGE);
    assert_int_equal(aisp_estimate_pairs(NULL, 0, 0.01, &e, NULL), AISP_E_USAGE);
    assert_int_equal(aisp_estimate_pairs((const double[]){ 0 }, 1, 0, &e, NULL), AISP_E_USAGE);
    assert_int_equal(e.n, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_interpolate_between_order_statistics),
        cmocka_unit_test(one_sample_is_all_its_quantiles),
        cmocka_unit_test(times_that_cannot_be_are_refused),
        cmocka_unit_test(median_and_mad_take_any_finite_number),
        cmocka_unit_test(p99_has_an_interval_from_368_samples_on),
        cmocka_unit_test(quantile_interval_holds_the_true_p99_as_often_as_it_says),
        cmocka_unit_test(pair_estimate_is_above_zero_when_b_is_faster_and_ignores_a_wild_block),
        cmocka_unit_test(wilcoxon_q_agrees_with_published_tables),
        cmocka_unit_test(wilcoxon_q_agrees_with_all_signs_tried),
        cmocka_unit_test(wilcoxon_q_goes_on_smoothly_where_the_normal_takes_over),
        cmocka_unit_test(hodges_lehmann_of_four_numbers_is_right),
        cmocka_unit_test(estimates_agree_with_sorted_walsh_averages_also_with_ties),
        cmocka_unit_test(interval_of_95_percent_holds_the_truth_as_often_as_it_says),
        cmocka_unit_test(mann_whitney_agrees_with_a_worked_case_and_knows_ties),
        cmocka_unit_test(binomial_tail_agrees_with_worked_cases),
        cmocka_unit_test(fisher_agrees_with_worked_cases),
        cmocka_unit_test(pair_estimates_that_are_no_numbers_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
