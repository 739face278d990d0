/* pareto_test.c - the frontier: cases worked by hand, and the sweeps against comparing all pairs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/pareto.h"
#include "core/base/buf.h"
#include "core/base/rng.h"
#include "tests/unit/result_rows.h"

#pragma GCC diagnostic ignored "-Woverride-init"

enum { SPEED = 1, MEMORY = 2, ENERGY = 4 };

#define AT(speed, memory) { { { speed, speed, speed }, { memory, memory, memory }, { NAN, NAN, NAN } } }

static void better_on_nothing_is_dominated(void **state)
{
    const struct aisp_pareto_point p[] = { AT(3, 1), AT(1, 3), AT(2, 2), AT(1.5, 1.5), AT(3, 0.5) };
    struct aisp_pareto_place place[5];

    (void)state;
    aisp_pareto(p, 5, SPEED | MEMORY, place);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(place[i].status, AISP_PARETO_FRONTIER);
        assert_int_equal(place[i].by, i);
    }
    assert_int_equal(place[3].status, AISP_PARETO_DOMINATED);
    assert_int_equal(place[3].by, 2);
    assert_int_equal(place[4].status, AISP_PARETO_DOMINATED); /* as fast, and worse in memory */
    assert_int_equal(place[4].by, 0);
    aisp_pareto(p, 5, SPEED, place);
    assert_int_equal(place[0].status, AISP_PARETO_FRONTIER);
    assert_int_equal(place[4].status, AISP_PARETO_FRONTIER); /* equal points do not beat each other */
    assert_int_equal(place[1].status, AISP_PARETO_DOMINATED);
}

static void overlapping_intervals_cannot_be_told_apart(void **state)
{
    const struct aisp_pareto_point p[] = {
        { { { 2.0, 1.9, 2.1 }, { 1, 1, 1 }, { NAN, NAN, NAN } } },
        { { { 1.95, 1.85, 2.05 }, { 1, 1, 1 }, { NAN, NAN, NAN } } },
        { { { 1.8, 1.7, 1.89 }, { 1, 1, 1 }, { NAN, NAN, NAN } } },
    };
    struct aisp_pareto_place place[3];

    (void)state;
    aisp_pareto(p, 3, SPEED | MEMORY, place);
    assert_int_equal(place[0].status, AISP_PARETO_FRONTIER);
    assert_int_equal(place[1].status, AISP_PARETO_UNSURE);
    assert_int_equal(place[1].by, 0);
    assert_int_equal(place[2].status, AISP_PARETO_DOMINATED);
    assert_int_equal(place[2].by, 0);
}

static void missing_figures_are_neither_on_the_frontier_nor_behind_it(void **state)
{
    const struct aisp_pareto_point p[] = { AT(3, 1), AT(9, NAN) };
    struct aisp_pareto_place place[2];

    (void)state;
    assert_int_equal(aisp_pareto_common_axes(p, 2), SPEED);
    assert_int_equal(aisp_pareto_common_axes(p, 1), SPEED | MEMORY);
    aisp_pareto(p, 2, SPEED | MEMORY, place);
    assert_int_equal(place[0].status, AISP_PARETO_FRONTIER);
    assert_int_equal(place[1].status, AISP_PARETO_MISSING);
    aisp_pareto(p, 2, ENERGY, place);
    assert_int_equal(place[0].status, AISP_PARETO_MISSING);
    aisp_pareto(p, 2, 0, place);
    assert_int_equal(place[0].status, AISP_PARETO_MISSING);
    aisp_pareto(p, 1, SPEED, place);
    assert_int_equal(place[0].status, AISP_PARETO_FRONTIER);
    aisp_pareto(NULL, 0, SPEED, NULL);
}

/* Steps of 1 %: 2.000 and 2.003 are both 1.01^70, 1.01^70 is not surely above 1.01^69 but is above 1.01^67. */
static void figures_without_interval_go_in_steps(void **state)
{
    const struct aisp_result_row row[] = {
        ROW("a", 2, 1.9, 2.1, .a_memory_bytes = 2000, .b_memory_bytes = 1000),
        ROW("b", 2, 1.9, 2.1, .a_memory_bytes = 2003, .b_memory_bytes = 1000),
        ROW("c", 2, 1.9, 2.1, .a_memory_bytes = 1985, .b_memory_bytes = 1000),
        ROW("d", 2, 1.9, 2.1, .a_memory_bytes = 1948, .b_memory_bytes = 1000),
    };
    struct aisp_measured m[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        m[i] = aisp_pareto_figure(&row[i], AISP_AXIS_MEMORY, 1.01);
    assert_float_equal(m[0].value, pow(1.01, 70), 1e-12);
    assert_float_equal(m[1].value, m[0].value, 0);
    assert_true(m[2].value < m[0].value);
    assert_false(aisp_measured_above(&m[0], &m[2]));
    assert_true(aisp_measured_above(&m[0], &m[3]));
}

static void figures_are_of_what_was_compared(void **state)
{
    const struct aisp_result_row speed = ROW("a", 2, 1.9, 2.1),
                                 memory = ROW("b", 4, 3.9, 4.1, .goal = "memory", .a_median_ns = 30, .b_median_ns = 10),
                                 short_one = ROW("c", 1e9, NAN, NAN);
    struct aisp_measured m = aisp_pareto_figure(&speed, AISP_AXIS_SPEED, 1.01), few;

    (void)state;
    assert_float_equal(m.lo, 1.9, 1e-12);
    few = aisp_pareto_figure(&short_one, AISP_AXIS_SPEED, 1.01); /* too few pairs: it is above nothing */
    assert_float_equal(few.value, 1e9, 0);
    assert_false(aisp_measured_above(&few, &m));
    assert_false(aisp_measured_above(&m, &few));
    m = aisp_pareto_figure(&speed, AISP_AXIS_ENERGY, 1.01);
    assert_false(aisp_measured_exists(&m));
    m = aisp_pareto_figure(&memory, AISP_AXIS_SPEED, 1.01);
    assert_float_equal(m.value, 3, 0.015);
    m = aisp_pareto_figure(&memory, AISP_AXIS_MEMORY, 1.01);
    assert_float_equal(m.hi, 4.1, 1e-12);
}

/* ---- the sweeps against the definition ---- */

static bool beats(const struct aisp_pareto_point *p, const struct aisp_pareto_point *q, unsigned axes, bool surely)
{
    bool better = false;

    for (int k = 0; k < AISP_N_AXES; k++) {
        if (!(axes & 1u << k))
            continue;
        if (p->axis[k].value < q->axis[k].value)
            return false;
        better |= surely ? p->axis[k].lo > q->axis[k].hi : p->axis[k].value > q->axis[k].value;
    }
    return better;
}

static enum aisp_pareto_status defined(const struct aisp_pareto_point *p, size_t n, size_t q, unsigned axes)
{
    enum aisp_pareto_status status = AISP_PARETO_FRONTIER;

    for (int k = 0; k < AISP_N_AXES; k++)
        if (axes & 1u << k && !aisp_measured_has_interval(&p[q].axis[k]))
            return AISP_PARETO_MISSING;
    for (size_t i = 0; i < n; i++) {
        bool is_in = true;

        for (int k = 0; k < AISP_N_AXES; k++)
            is_in &= !(axes & 1u << k) || aisp_measured_has_interval(&p[i].axis[k]);
        if (is_in && beats(&p[i], &p[q], axes, true))
            return AISP_PARETO_DOMINATED;
        if (is_in && beats(&p[i], &p[q], axes, false))
            status = AISP_PARETO_UNSURE;
    }
    return status;
}

/* Small whole numbers: many ties. One in 16 was not measured. */
static struct aisp_pareto_point *draw(struct aisp_dice *dice, size_t n, unsigned levels)
{
    struct aisp_pareto_point *p = aisp_xcalloc(n, sizeof *p);

    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < AISP_N_AXES; k++) {
            const double value = (double)(1 + aisp_dice_below(dice, levels));
            const double width = (double)aisp_dice_below(dice, 3);

            p[i].axis[k] = (struct aisp_measured){ value, value * (1 - width / 8), value * (1 + width / 8) };
            if (!aisp_dice_below(dice, 16))
                p[i].axis[k] = (struct aisp_measured){ NAN, NAN, NAN };
        }
    return p;
}

static void sweeps_agree_with_comparing_all_pairs(void **state)
{
    static const size_t counts[] = { 1, 2, 47, 49, 60, 200, 400 };
    const struct aisp_key key = { { 7 } };
    struct aisp_dice dice;

    (void)state;
    aisp_dice_init(&dice, &key);
    for (unsigned axes = 1; axes < 8; axes++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const size_t n = counts[c];
            struct aisp_pareto_point *p = draw(&dice, n, c % 2 ? 6 : 100);
            struct aisp_pareto_place *place = aisp_xcalloc(n, sizeof *place);

            aisp_pareto(p, n, axes, place);
            for (size_t i = 0; i < n; i++) {
                const enum aisp_pareto_status wanted = defined(p, n, i, axes);

                assert_int_equal(place[i].status, wanted);
                assert_true(place[i].by < n);
                if (wanted == AISP_PARETO_UNSURE)
                    assert_int_equal(place[place[i].by].status, AISP_PARETO_FRONTIER);
                if (wanted == AISP_PARETO_DOMINATED || wanted == AISP_PARETO_UNSURE)
                    assert_true(beats(&p[place[i].by], &p[i], axes, wanted == AISP_PARETO_DOMINATED));
                else
                    assert_int_equal(place[i].by, i);
            }
            free(place);
            free(p);
        }
}

/* Worst cases of the sweep: everything on the frontier, and a chain in which each beats the next. Quadratic would be 10^10. */
static void a_hundred_thousand_points_are_few_enough(void **state)
{
    enum { N = 100000 };
    struct aisp_pareto_point *p = aisp_xcalloc(N, sizeof *p);
    struct aisp_pareto_place *place = aisp_xcalloc(N, sizeof *place);
    size_t n_frontier = 0, n_dominated = 0;

    (void)state;
    for (int i = 0; i < N; i++) {
        const double up = 1 + i, down = N - i;

        p[i] = (struct aisp_pareto_point){ { { up, up, up }, { down, down, down }, { 1, 1, 1 } } };
    }
    aisp_pareto(p, N, 7, place);
    for (int i = 0; i < N; i++)
        n_frontier += place[i].status == AISP_PARETO_FRONTIER;
    assert_int_equal(n_frontier, N);
    for (int i = 0; i < N; i++)
        p[i].axis[1] = p[i].axis[2] = p[i].axis[0];
    aisp_pareto(p, N, 7, place);
    for (int i = 0; i < N; i++)
        n_dominated += place[i].status == AISP_PARETO_DOMINATED;
    assert_int_equal(n_dominated, N - 1);
    free(place);
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(better_on_nothing_is_dominated),
        cmocka_unit_test(overlapping_intervals_cannot_be_told_apart),
        cmocka_unit_test(missing_figures_are_neither_on_the_frontier_nor_behind_it),
        cmocka_unit_test(figures_without_interval_go_in_steps),
        cmocka_unit_test(figures_are_of_what_was_compared),
        cmocka_unit_test(sweeps_agree_with_comparing_all_pairs),
        cmocka_unit_test(a_hundred_thousand_points_are_few_enough),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
