/* goal_replay_test.c - the error rate and the power of the verdict where a 99th percentile, or a rate, is compared: thousands of
 * comparisons out of made windows with heavy tails, each judged as the product judges evidence.
 * A pair is LATENCY_BLOCKS blocks of four windows of one call; pairs have levels and tails of their own, as processes have. Whoever
 * takes calls for the unit instead of pairs must fail. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "core/base/buf.h"
#include "core/goal.h"
#include "core/run/run.h"
#include "core/stats/stats.h"

#ifdef AISP_SANITIZED
enum { N_COMPARISONS = 100, MOST_FALSE = 4 };
#else
enum { N_COMPARISONS = 2000, MOST_FALSE = 20 }; /* 1 % */
#endif
enum { LATENCY_BLOCKS = 16, MOST_PAIRS = 27 };

static uint64_t random_state;

static double uniform(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* What a process is like: its level, and how often and how far its calls are off. */
struct maker {
    const char *name;
    double level, noise, tail_share, tail_power, hog_share, hog_ns, mode_share, mode;
};

static const struct maker makers[] = {
    { "lognormal", 0.01, 0.05, 0, 0, 0, 0, 0, 0 },
    { "pareto tail", 0.01, 0.02, 0.03, 1.2, 0, 0, 0, 0 },
    { "preempted", 0.01, 0.02, 0, 0, 0.012, 4e6, 0, 0 },
    { "modes", 0.01, 0.02, 0.02, 2, 0, 0, 0.1, 0.3 },
};

static double call_ns(const struct maker *m, double level)
{
    double ns = 20000 * exp(level + m->noise * normal());

    if (uniform() < m->tail_share)
        ns *= pow(uniform(), -1 / m->tail_power);
    if (uniform() < m->hog_share)
        ns += m->hog_ns * uniform();
    return ns;
}

static double process_level(const struct maker *m)
{
    return m->level * normal() + (uniform() < m->mode_share ? m->mode : 0);
}

static void add_window(struct aisp_evidence *ev, int32_t pair, int32_t block, int side, double ns)
{
    struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);

    *w = (struct aisp_window){ .pair = pair,
                               .block = block,
                               .side = (int8_t)side,
                               .kind = AISP_WINDOW_TIMED,
                               .calls = 1,
                               .window_ns = (int64_t)ns };
}

/* One pair, B's calls being exp(shift) times as quick. */
static void add_pair(struct aisp_evidence *ev, const struct maker *m, int32_t pair, double shift)
{
    struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);
    const double level[2] = { process_level(m), process_level(m) - shift };

    *p = (struct aisp_pair){ .pair = pair, .complete = true };
    for (int block = 0; block < LATENCY_BLOCKS; block++)
        for (int i = 0; i < 4; i++) {
            const int side = (i == 1 || i == 2) ^ (uniform() < 0.5);

            add_window(ev, pair, block, side, call_ns(m, level[side]));
        }
}

static void begin(struct aisp_evidence *ev, enum aisp_goal goal)
{
    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    ev->goal = goal;
    ev->floor = aisp_goal_floor(goal, 0.003);
    ev->band = aisp_goal_band(goal, 0.005);
}

static bool is_look(int32_t n)
{
    return n == 12 || n == 18 || n == MOST_PAIRS;
}

/* The planned looks, until one decides. */
static enum aisp_verdict compare(const struct maker *m, enum aisp_goal goal, double shift)
{
    struct aisp_look_result look = { 0 };
    struct aisp_evidence ev;

    begin(&ev, goal);
    for (int32_t pair = 0; pair < MOST_PAIRS; pair++) {
        add_pair(&ev, m, pair, shift);
        if (!is_look(pair + 1))
            continue;
        assert_int_equal(aisp_run_verdict(&ev, &look, NULL), AISP_OK);
        if (look.verdict != AISP_UNSURE)
            break;
    }
    aisp_evidence_release(&ev);
    return look.verdict;
}

static int count(const struct maker *m, enum aisp_goal goal, double shift, int n,
                 int found[AISP_N_VERDICT])
{
    for (int v = 0; v < AISP_N_VERDICT; v++)
        found[v] = 0;
    for (int i = 0; i < n; i++)
        found[compare(m, goal, shift)]++;
    print_message(
        "%-12s %-10s shift %4.1f %%: FASTER %5.2f SLOWER %5.2f SAME %5.2f UNSURE %5.2f %% of %d\n",
        m->name, goal == AISP_LATENCY ? "p99" : "rate", 100 * shift, 100.0 * found[AISP_FASTER] / n,
        100.0 * found[AISP_SLOWER] / n, 100.0 * found[AISP_SAME] / n,
        100.0 * found[AISP_UNSURE] / n, n);
    return found[AISP_FASTER] + found[AISP_SLOWER];
}

static void expect_no_false_verdicts(enum aisp_goal goal)
{
    enum { N_MAKERS = sizeof makers / sizeof *makers };
    int found[AISP_N_VERDICT], n_false = 0;

    random_state = 1;
    for (size_t i = 0; i < N_MAKERS; i++)
        n_false += count(&makers[i], goal, 0, N_COMPARISONS / N_MAKERS, found);
    assert_in_range(n_false, 0, MOST_FALSE);
}

static void p99_of_the_same_is_hardly_ever_called_different(void **state)
{
    (void)state;
    expect_no_false_verdicts(AISP_LATENCY);
}

static void rate_of_the_same_is_hardly_ever_called_different(void **state)
{
    (void)state;
    expect_no_false_verdicts(AISP_THROUGHPUT);
}

static void rate_that_is_a_quarter_more_is_found(void **state)
{
    int found[AISP_N_VERDICT];

    (void)state;
    random_state = 1;
    count(&makers[0], AISP_THROUGHPUT, 0.25, 40, found);
    assert_true(found[AISP_FASTER] > 36);
}

static void p99_that_is_a_quarter_less_is_found(void **state)
{
    int found[AISP_N_VERDICT];

    (void)state;
    random_state = 2;
    count(&makers[0], AISP_LATENCY, 0.25, 40, found);
    assert_true(found[AISP_FASTER] > 36);
    count(&makers[1], AISP_LATENCY, 0.25, 40, found);
    assert_int_equal(found[AISP_SLOWER], 0);
}

/* The wrong unit: all calls of a side together, their quantile's own intervals against each other. */
static bool calls_say_different(const struct maker *m)
{
    struct aisp_interval interval[2];
    struct aisp_evidence ev;
    bool differ;

    begin(&ev, AISP_LATENCY);
    for (int32_t pair = 0; pair < 4; pair++)
        add_pair(&ev, m, pair, 0);
    for (int side = 0; side < 2; side++) {
        size_t n = 0;
        double *x = aisp_xcalloc(ev.n_windows, sizeof *x);

        for (size_t i = 0; i < ev.n_windows; i++)
            if (ev.window[i].side == side)
                x[n++] = (double)ev.window[i].window_ns;
        assert_int_equal(aisp_quantile_interval(x, n, 0.5, 0.05, &interval[side], NULL), AISP_OK);
        free(x);
    }
    differ = interval[0].lo > interval[1].hi || interval[1].lo > interval[0].hi;
    aisp_evidence_release(&ev);
    return differ;
}

static void calls_as_the_unit_are_caught_by_the_same_test(void **state)
{
    int n_false = 0;

    (void)state;
    random_state = 3;
    for (int i = 0; i < 500; i++)
        n_false += calls_say_different(&makers[3]);
    print_message("calls as the unit: %.1f %% false\n", n_false / 5.0);
    assert_true(n_false > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p99_of_the_same_is_hardly_ever_called_different),
        cmocka_unit_test(rate_of_the_same_is_hardly_ever_called_different),
        cmocka_unit_test(rate_that_is_a_quarter_more_is_found),
        cmocka_unit_test(p99_that_is_a_quarter_less_is_found),
        cmocka_unit_test(calls_as_the_unit_are_caught_by_the_same_test),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
