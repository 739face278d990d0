/* gate_figures.h - figures of made-up runs, for the tests of what is concluded from them. */
#ifndef AISP_TESTS_GATE_FIGURES_H
#define AISP_TESTS_GATE_FIGURES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/figure.h"

/* A failure says both numbers; the floats of assert_float_equal are too coarse here. */
#define assert_near(got, wanted, within)                                                                                     \
    do {                                                                                                                     \
        if (!(fabs((got) - (wanted)) <= (within)))                                                                           \
            fail_msg("%s is %.17g, not %.17g", #got, (double)(got), (double)(wanted));                                       \
    } while (0)

#define HASH_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HASH_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define HASH_P "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"

/* A result as a run records it; the interval reaches `half` to both sides, in log ratio. */
static inline json_t *made_result(const char *target, const char *variant, double ratio, double half)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{s:i}, s:i, s:f, s:f, s:f, s:i, s:s, s:s, s:s, s:f, s:i, s:[], s:[]}", "key",
        "k", "target", target, "variant", variant, "reference", "baseline", "device", "cpu", "size", "default", "goal", "speed",
        "params", "n", 4096, "threads", 1, "ratio", ratio, "lo95", ratio * exp(-half), "hi95", ratio * exp(half), "n_pairs", 18,
        "verdict", ratio > 1 ? "FASTER" : "SLOWER", "reason", "", "grade", "development", "elapsed_s", 2.5, "pairs_wanted", 0,
        "reasons", "findings");
}

static inline json_t *made_evidence(void)
{
    return json_pack("{s:f, s:f, s:[{s:s}, {s:s}], s:[{s:s}, {s:s}]}", "floor", 0.003, "band", 0.005, "variants", "sha256",
                     HASH_A, "sha256", HASH_B, "watched", "sha256", HASH_P, "sha256", HASH_A);
}

/* The figure of a result (stolen). */
static inline json_t *figure_of(json_t *result)
{
    json_t *evidence = made_evidence(), *figure = aisp_figure_new(result, evidence, "amd-epyc-2c-vm", NULL);

    json_decref(evidence);
    json_decref(result);
    return figure;
}

static inline json_t *made_figure(const char *target, const char *variant, double ratio, double half)
{
    return figure_of(made_result(target, variant, ratio, half));
}

static inline const struct aisp_noise *quiet(void)
{
    static const struct aisp_noise noise = { .sd_log = 0.0008, .sd_log_high = 0.001, .n_runs = 20, .is_learned = true };

    return &noise;
}

#endif
