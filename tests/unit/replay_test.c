/* replay_test.c - the error rates and the power of the verdict over windows that real machines took
 * (tests/recorded/pools/), as recorded and with trouble planted; and two cheats, who must be caught
 * by the very same test.
 * The limit on false verdicts is 1 % over each condition, all pools together. A single cell of
 * 2,000 comparisons may show up to 31: a true rate of 1 % shows more in one cell of a hundred. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/stats/stats.h"
#include "tests/replay/replay.h"

#define POOLS TESTS_DIR "/recorded/pools/"

/* Under a sanitizer memory errors are looked for, and everything is several times slower. */
#ifdef AISP_SANITIZED
#define N_COMPARISONS 300
#define CELL_MAX      8 /* the same 99 % for 300 */
#else
#define N_COMPARISONS 2000
#define CELL_MAX      31
#endif

/* Pairs that fit into a time on the machine of the pools: a pair is 56 windows (DRAM 28) of 2 ms,
 * every 8th a control. */
#define PAIRS_5S       36
#define PAIRS_10S      78
#define PAIRS_10S_DRAM 90

struct recorded {
    const char *name;
    bool is_dram;
    struct replay_pool pool;
};

static struct recorded nulls[] = {
    { "L_compute", false }, { "L_l2", false },   { "L_tiny", false },  { "L_dram", true },
    { "aa_tiny", false },   { "aa_dram", true }, { "Lhog_l2", false },
};
#define N_NULLS (sizeof nulls / sizeof nulls[0])
enum { COMPUTE, L2, TINY, DRAM, AA_TINY };

static void read_pool(const char *name, struct replay_pool *pool)
{
    struct aisp_err err;
    char path[1024];

    snprintf(path, sizeof path, POOLS "%s.pool", name);
    if (replay_pool_read(path, pool, &err))
        fail_msg("%s", err.text);
}

static int read_nulls(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_NULLS; i++)
        read_pool(nulls[i].name, &nulls[i].pool);
    return 0;
}

static int release_nulls(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_NULLS; i++)
        replay_pool_release(&nulls[i].pool);
    return 0;
}

static struct replay_plan plan_of(const struct recorded *r, struct replay_injection inject)
{
    return (struct replay_plan){
        .pool = &r->pool,
        .control = &r->pool,
        .rules = aisp_verdict_rules_default(r->is_dram, 0),
        .inject = inject,
        .flips = true,
        .max_pairs = 90,
        .n_comparisons = N_COMPARISONS,
        .truth = inject.shift,
        .seed = 1,
    };
}

static struct replay_rates replay(const char *name, const char *what,
                                  const struct replay_plan *plan)
{
    struct replay_rates r;
    struct aisp_err err;

    if (replay_run(plan, &r, &err))
        fail_msg("%s", err.text);
    print_message("%-11s %-26s FASTER %6.2f  SLOWER %6.2f  SAME %6.2f  UNSURE %6.2f %%, 95 %% "
                  "interval holds %5.1f, %4.1f pairs\n",
                  name, what, 100.0 * (double)r.verdict[AISP_FASTER] / (double)r.n,
                  100.0 * (double)r.verdict[AISP_SLOWER] / (double)r.n,
                  100.0 * (double)r.verdict[AISP_SAME] / (double)r.n,
                  100.0 * (double)r.verdict[AISP_UNSURE] / (double)r.n,
                  100.0 * (double)r.covered / (double)r.with_interval, r.mean_pairs);
    assert_int_equal(r.n, plan->n_comparisons);
    return r;
}

static size_t n_different(const struct replay_rates *r)
{
    return r->verdict[AISP_FASTER] + r->verdict[AISP_SLOWER];
}

/* Every null pool with the same trouble planted. */
static void expect_no_false_verdicts(const char *what, struct replay_injection inject)
{
    size_t n = 0, n_false = 0, n_same = 0;

    for (size_t i = 0; i < N_NULLS; i++) {
        const struct replay_plan plan = plan_of(&nulls[i], inject);
        const struct replay_rates r = replay(nulls[i].name, what, &plan);

        assert_in_range(n_different(&r), 0, CELL_MAX);
        assert_true((double)r.covered >= 0.92 * (double)r.with_interval);
        n += r.n;
        n_false += n_different(&r);
        n_same += r.verdict[AISP_SAME];
    }
    assert_in_range(n_false, 0, n / 100);
    assert_true(n_same > n / 2); /* a judge who never answers is not honest either */
}

/* ---- the pools themselves ---- */

static void pools_hold_what_their_header_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_NULLS; i++) {
        const struct replay_pool *p = &nulls[i].pool;
        size_t n_first_b = 0;

        assert_in_range(p->n_pairs, 250, 600);
        assert_int_equal(p->n_blocks, nulls[i].is_dram ? 6 : 12);
        for (size_t b = 0; b < p->n_pairs * p->n_blocks; b++)
            n_first_b += p->first_side[b];
        assert_in_range(n_first_b, p->n_pairs * p->n_blocks * 4 / 10,
                        p->n_pairs * p->n_blocks * 6 / 10);
        for (size_t w = 0; w < 4 * p->n_pairs * p->n_blocks; w++)
            assert_true(p->window_ns[w] > 1.4e6 && p->window_ns[w] < 20e6);
    }
}

static void damaged_pools_are_refused(void **state)
{
    char path[] = "/tmp/aisp-pool-XXXXXX";
    const char *const bad[] = { "",
                                "aisp-pool 2 1 1 5 5\n",
                                "aisp-pool 1 0 1 5 5\n",
                                "aisp-pool 1 1 1 5 5\n\1\1\1",
                                "aisp-pool 1 1 1 5 5\n\1\1\1\1\1",
                                "aisp-pool 1 1 1 5 5\n\xff\xff\xff\xff\1\1\1\1" };
    struct replay_pool pool;
    const int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(ftruncate(fd, 0), 0);
        assert_int_equal(pwrite(fd, bad[i], strlen(bad[i]), 0), strlen(bad[i]));
        assert_int_equal(replay_pool_read(path, &pool, NULL), AISP_E_USAGE);
        assert_null(pool.window_ns);
    }
    assert_int_equal(pwrite(fd, "aisp-pool 1 1 1 500 50\n\1\2\3\4", 27, 0),
                     27); /* the honest twin */
    assert_int_equal(ftruncate(fd, 27), 0);
    assert_int_equal(replay_pool_read(path, &pool, NULL), AISP_OK);
    assert_int_equal(pool.first_side[0], 1);
    assert_true(pool.window_ns[0] == 500 && pool.window_ns[3] == 700);
    replay_pool_release(&pool);
    close(fd);
    unlink(path);
    assert_int_equal(replay_pool_read(path, &pool, NULL), AISP_E_NOT_FOUND);
}

/* With the labels as they were, no coin: a bias of the protocol that took the windows would show
 * here. */
static void null_pools_have_no_bias(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_NULLS; i++) {
        const struct replay_pool *p = &nulls[i].pool;
        double *m = malloc(p->n_pairs * sizeof *m);
        struct aisp_estimate e;

        assert_non_null(m);
        for (size_t k = 0; k < p->n_pairs; k++) {
            struct aisp_block blocks[12];

            for (size_t b = 0; b < p->n_blocks; b++) {
                const double *w = p->window_ns + 4 * (k * p->n_blocks + b);
                const bool b_first = p->first_side[k * p->n_blocks + b];

                blocks[b] =
                    (struct aisp_block){ w[b_first], w[3 - b_first], w[!b_first], w[2 + b_first] };
            }
            assert_int_equal(aisp_pair_estimate(blocks, p->n_blocks, &m[k], NULL), AISP_OK);
        }
        assert_int_equal(aisp_estimate_pairs(m, p->n_pairs, 0.01, &e, NULL), AISP_OK);
        print_message("%-11s centre of %zu pairs %+.3f %% [%+.3f %+.3f]\n", nulls[i].name,
                      p->n_pairs, 100 * e.centre, 100 * e.ci95.lo, 100 * e.ci95.hi);
        assert_true(fabs(e.centre) <= (nulls[i].is_dram ? 0.0015 : 0.0005));
        free(m);
    }
}

/* ---- identical code ---- */

static void recorded_nulls_are_called_different_in_at_most_one_percent(void **state)
{
    (void)state;
    expect_no_false_verdicts("as recorded", (struct replay_injection){ 0 });
}

static void so_are_nulls_under_drift(void **state)
{
    (void)state;
    expect_no_false_verdicts("drift 0.2 % a pair, walk",
                             (struct replay_injection){ .drift_per_pair = 0.002, .walk = 0.0005 });
}

static void so_are_nulls_under_a_hog(void **state)
{
    (void)state;
    expect_no_false_verdicts("hog 20 ms on, 60 off",
                             (struct replay_injection){ .hog_on_ns = 20e6, .hog_off_ns = 60e6 });
}

static void so_are_nulls_with_two_percent_of_slow_processes(void **state)
{
    (void)state;
    expect_no_false_verdicts("2 % of processes 1.35x",
                             (struct replay_injection){ .mode_chance = 0.02, .mode = log(1.35) });
}

/* The worst there is for whoever mistakes the unit: every process in one of two modes. */
static void so_are_nulls_of_processes_in_two_modes(void **state)
{
    const int which[] = { L2, TINY };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct replay_plan plan = plan_of(
            &nulls[which[i]], (struct replay_injection){ .mode_chance = 0.5, .mode = 0.02 });
        struct replay_rates r;

        plan.n_comparisons = 3 * N_COMPARISONS;
        r = replay(nulls[which[i]].name, "two modes 2 % apart", &plan);
        assert_in_range(n_different(&r), 0, r.n / 100);
    }
}

/* ---- true effects ---- */

static void expect_found(const struct recorded *r, double shift, size_t max_pairs, double least)
{
    struct replay_plan plan = plan_of(r, (struct replay_injection){ .shift = shift });
    struct replay_rates rates;
    char what[64];

    plan.max_pairs = max_pairs;
    snprintf(what, sizeof what, "%.1f %% in %zu pairs", 100 * shift, max_pairs);
    rates = replay(r->name, what, &plan);
    assert_true((double)rates.verdict[AISP_FASTER] >= least * (double)rates.n);
    assert_in_range(rates.verdict[AISP_SLOWER], 0, rates.n / 1000);
    if (shift >= plan.rules.band)
        assert_in_range(rates.verdict[AISP_SAME], 0, rates.n / 100);
}

static void planted_effects_are_found_in_time(void **state)
{
    const int cached[] = { COMPUTE, L2, TINY, AA_TINY };

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        expect_found(&nulls[cached[i]], 0.005, PAIRS_10S, 0.90); /* the edge of the band */
        expect_found(&nulls[cached[i]], 0.01, PAIRS_5S, 0.90);
        expect_found(&nulls[cached[i]], 0.03, PAIRS_5S, 0.97);
    }
    expect_found(&nulls[DRAM], 0.01, PAIRS_10S_DRAM, 0.90); /* the edge of its band */
    expect_found(&nulls[DRAM], 0.03, PAIRS_5S, 0.99);
}

static void one_percent_of_real_extra_work_is_found_and_never_taken_for_a_gain(void **state)
{
    static const struct {
        const char *name;
        int control;
        size_t max_pairs;
    } real[] = {
        { "Le_compute", COMPUTE, PAIRS_5S },
        { "Le_l2", L2, PAIRS_5S },
        { "Le_dram", DRAM, PAIRS_10S_DRAM },
    };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct recorded r = { real[i].name, real[i].control == DRAM };
        struct replay_plan plan;
        struct replay_rates rates;

        read_pool(r.name, &r.pool);
        plan = plan_of(&r, (struct replay_injection){ 0 });
        plan.control = &nulls[real[i].control].pool;
        plan.flips = false;
        plan.max_pairs = real[i].max_pairs;
        plan.truth = -0.01;
        rates = replay(r.name, "1 % more work in B", &plan);
        assert_true((double)rates.verdict[AISP_SLOWER] >= 0.9 * (double)rates.n);
        assert_int_equal(rates.verdict[AISP_FASTER], 0);
        assert_in_range(rates.verdict[AISP_SAME], 0, rates.n / 100);
        replay_pool_release(&r.pool);
    }
}

/* ---- the cheats: what they promise is the same 1 % ---- */

static void a_judge_who_counts_blocks_is_caught(void **state)
{
    const int which[] = { COMPUTE, L2, TINY };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct replay_plan plan = plan_of(
            &nulls[which[i]], (struct replay_injection){ .mode_chance = 0.5, .mode = 0.02 });
        struct replay_rates honest, cheat;

        plan.control = NULL;
        plan.max_pairs = 12; /* one look: 144 blocks, 12 pairs */
        honest = replay(nulls[which[i]].name, "pairs as unit, two modes", &plan);
        plan.judge = REPLAY_BLOCKS;
        cheat = replay(nulls[which[i]].name, "blocks as unit, two modes", &plan);
        assert_in_range(n_different(&honest), 0, CELL_MAX);
        assert_true(n_different(&cheat) > 2 * CELL_MAX);
        assert_true((double)cheat.covered < 0.86 * (double)cheat.with_interval);
    }
}

/* Nothing planted: ordinary address randomisation is enough. */
static void a_judge_who_counts_blocks_is_caught_on_windows_as_recorded(void **state)
{
    struct replay_plan plan = plan_of(&nulls[AA_TINY], (struct replay_injection){ 0 });
    struct replay_rates honest, cheat;

    (void)state;
    plan.control = NULL;
    plan.max_pairs = 12;
    honest = replay("aa_tiny", "pairs as unit", &plan);
    plan.judge = REPLAY_BLOCKS;
    cheat = replay("aa_tiny", "blocks as unit", &plan);
    assert_in_range(n_different(&honest), 0, CELL_MAX);
    assert_true(n_different(&cheat) > CELL_MAX);
}

static void a_judge_who_looks_after_every_pair_is_caught(void **state)
{
    struct replay_plan plan =
        plan_of(&nulls[L2], (struct replay_injection){ .mode_chance = 0.5, .mode = 0.02 });
    struct replay_rates honest, cheat;

    (void)state;
    plan.control = NULL;
    plan.max_pairs = 60;
    honest = replay("L_l2", "planned looks, two modes", &plan);
    plan.judge = REPLAY_PEEKING;
    cheat = replay("L_l2", "a look a pair, two modes", &plan);
    assert_in_range(n_different(&honest), 0, CELL_MAX);
    assert_true(n_different(&cheat) > CELL_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_hold_what_their_header_says),
        cmocka_unit_test(damaged_pools_are_refused),
        cmocka_unit_test(null_pools_have_no_bias),
        cmocka_unit_test(recorded_nulls_are_called_different_in_at_most_one_percent),
        cmocka_unit_test(so_are_nulls_under_drift),
        cmocka_unit_test(so_are_nulls_under_a_hog),
        cmocka_unit_test(so_are_nulls_with_two_percent_of_slow_processes),
        cmocka_unit_test(so_are_nulls_of_processes_in_two_modes),
        cmocka_unit_test(planted_effects_are_found_in_time),
        cmocka_unit_test(one_percent_of_real_extra_work_is_found_and_never_taken_for_a_gain),
        cmocka_unit_test(a_judge_who_counts_blocks_is_caught),
        cmocka_unit_test(a_judge_who_counts_blocks_is_caught_on_windows_as_recorded),
        cmocka_unit_test(a_judge_who_looks_after_every_pair_is_caught),
    };

    return cmocka_run_group_tests(tests, read_nulls, release_nulls);
}
