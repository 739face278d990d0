/* noise.h - how far the same code's ratio moves from run to run, learned from history.
 * Within one run the interval says how well that run knew its ratio. Two runs of the same code differ by more: another boot,
 * another placement, another neighbour. What is beyond the intervals is the between-run noise, and whoever compares figures of
 * different runs has to add it.
 * Not here: whether the code changed between two runs (changepoint.h), what a gate makes of it.
 * Why differences of neighbouring runs: a history holds real changes, and a level that moves once in fifty runs spoils one
 * difference in fifty, but every deviation from a mean. Why their median: single runs are far off. */
#ifndef AISP_ANALYSIS_NOISE_H
#define AISP_ANALYSIS_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

/* Below this many runs the upper bound of the noise does not exist, and nothing has been learned. */
#define AISP_NOISE_MIN_RUNS 10

/* Natural logarithms: 0.003 is 0.3 %. What was not learned is NaN. */
struct aisp_noise {
    double sd_log;        /* between runs, beyond what their own intervals explain; >= 0; NaN below 2 comparable runs */
    double sd_log_high;   /* one-sided 95 % upper bound of it; NaN unless is_learned. A gate should use this one */
    size_t n_runs;        /* that the figures stand on */
    bool is_learned;      /* AISP_NOISE_MIN_RUNS or more: both figures exist */
};

/* One run of one row. Only neighbours of one group are compared: same kind of machine, device, reference, size and goal. */
struct aisp_noise_run {
    double log_ratio, se_log;   /* se_log: of that run alone, (log hi95 - log lo95) / (2 * 1.96) */
    int group;
};

/**
 * The noise of runs in the order in which they ran.
 * sd_log is the s at which half of the differences of neighbours lie within 0.6745 of their standard deviations
 * sqrt(2 s^2 + se1^2 + se2^2); the bound inverts the sign test over disjoint differences.
 * Errors: AISP_E_USAGE for a number that is not finite or an se_log below 0 (the text names the index).
 */
enum aisp_status aisp_noise_of(const struct aisp_noise_run *run, size_t n, struct aisp_noise *out, struct aisp_err *err);

/* Standard error of a run's log ratio out of its printed 95 % interval, both > 0; NaN if there is none. */
double aisp_noise_se_log(double lo95, double hi95);

#endif
