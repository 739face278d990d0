/* replayed.c - how often identical code is called different, over thousands of comparisons out of
 * recorded pools, as recorded and with trouble planted. The same conditions as
 * tests/unit/replay_test.c. */
#include <math.h>
#include <stdio.h>

#include "tests/bench/bench.h"
#include "tests/replay/replay.h"

enum { COMPARISONS_QUICK = 300, COMPARISONS = 2000 }; /* of each pool */
static const double BOUND = 0.01;

static const struct {
    const char *name;
    bool is_dram;
} pools[] = {
    { "L_compute", false }, { "L_l2", false },   { "L_tiny", false },  { "L_dram", true },
    { "aa_tiny", false },   { "aa_dram", true }, { "Lhog_l2", false },
};
enum { N_POOLS = sizeof pools / sizeof *pools };

static const struct {
    const char *what;
    struct replay_injection inject;
} conditions[] = {
    { "as recorded", { 0 } },
    { "hog, 20 ms on, 60 ms off", { .hog_on_ns = 20e6, .hog_off_ns = 60e6 } },
    { "drift 0.2 % a pair, and a walk", { .drift_per_pair = 0.002, .walk = 0.0005 } },
    { "2 % of processes 1.35x slower",
      { .mode_chance = 0.02, .mode = 0.30010459245 } }, /* log 1.35 */
    { "processes in two modes 2 % apart", { .mode_chance = 0.5, .mode = 0.02 } },
};

static enum aisp_status replay(const struct bench *bench, int pool, int condition, size_t *n,
                               size_t *n_false, struct aisp_err *err)
{
    struct replay_pool recorded = REPLAY_POOL_INIT;
    struct replay_plan plan = {
        .pool = &recorded,
        .control = &recorded,
        .rules = aisp_verdict_rules_default(pools[pool].is_dram, 0),
        .inject = conditions[condition].inject,
        .flips = true,
        .max_pairs = 90,
        .n_comparisons = bench->quick ? COMPARISONS_QUICK : COMPARISONS,
        .seed = 20,
    };
    struct replay_rates rates;
    enum aisp_status st;
    char path[1024];

    snprintf(path, sizeof path, POOLS_DIR "/%s.pool", pools[pool].name);
    AISP_TRY(replay_pool_read(path, &recorded, err));
    AISP_TRY(replay_run(&plan, &rates, err));
    *n += rates.n;
    *n_false += rates.verdict[AISP_FASTER] + rates.verdict[AISP_SLOWER];
out:
    replay_pool_release(&recorded);
    return st;
}

enum aisp_status bench_replayed(struct bench *bench, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    bench_report_section(bench, "false verdicts, replayed");
    for (size_t c = 0; c < sizeof conditions / sizeof *conditions; c++) {
        size_t n = 0, n_false = 0;
        double rate;

        for (int p = 0; p < N_POOLS; p++) {
            bench_progress(bench, "replaying %s: %s", pools[p].name, conditions[c].what);
            if (bench->stop)
                return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
            AISP_TRY(replay(bench, p, (int)c, &n, &n_false, err));
        }
        rate = (double)n_false / (double)n;
        bench_report(bench,
                     &(struct bench_figure){ .what = conditions[c].what,
                                             .unit = "share",
                                             .value = rate,
                                             .goal = BOUND,
                                             .kind = BENCH_AT_MOST,
                                             .is_bound = true,
                                             .goal_text = "<= 1 %" },
                     "%zu of %zu, %.2f %%", n_false, n, 100 * rate);
    }
out:
    return st;
}
