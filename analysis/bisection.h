/* bisection.h - which commit made it slower, asked of measurements that are noisy.
 * A bisection that believes every answer goes wrong at its first wrong one. Here every hypothesis (the first slower commit is
 * number i; or none is) keeps a probability, each run moves all of them by what it says, and measured next is the commit that
 * splits them best: probabilistic bisection (Horstein 1963; Burnashev and Zigangirov 1974; Waeber, Frazier and Henderson
 * 2013). It ends when one of them has 1 - max_error, and says unsure rather than the most likely.
 * A run is the log ratio of the good commit's time to this one's, paired in one run, so that what both share is in neither:
 * around 0 before the change, around -size after it. The size and the noise between runs are unknown and are summed over.
 * Not here: building and measuring (commands/history/), several changes in one range: a level is slow or it is not.
 * Why a bounded loss: of a run that was disturbed the error is not a few of its own standard errors, and how many is not known;
 * one run alone may so outweigh at most 56 to 1, whatever it says. */
#ifndef AISP_ANALYSIS_BISECTION_H
#define AISP_ANALYSIS_BISECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

/* Commits are numbered 1 .. n_commits, the bad one last; 0 is the good one, and needs no measuring: all are paired with it. */
struct aisp_bisection_run {
    size_t commit;
    double log_ratio, se_log;    /* log of time(good) / time(commit) */
};

struct aisp_bisection {
    size_t n_commits;
    double max_error, least_log; /* least_log > 0: a slowdown by less is none */
    bool *is_skipped;            /* [commit]: it does not build, or is wrong */
    bool *is_excluded;           /* [commit]: it cannot be the first, whatever is measured */
    struct aisp_bisection_run *run;
    size_t n_runs, cap_runs;
    double *posterior;           /* [0]: none is slower; [i]: commit i is the first. Sums to 1 */
    double surely_none;          /* probability of none against whichever size speaks most against it */
    double size_log;             /* posterior mean of the slowdown, given that there is one */
};

/* What is to be done next, or the answer. */
enum aisp_bisection_state { AISP_BISECTION_MEASURE, AISP_BISECTION_FOUND, AISP_BISECTION_NONE, AISP_BISECTION_STUCK };
struct aisp_bisection_step {
    enum aisp_bisection_state state;
    size_t commit;               /* MEASURE: this one */
    size_t first, last;          /* FOUND: the first slower one is among these; several only where those between are skipped */
    double probability;          /* FOUND: of that; NONE: surely_none */
};

/* @max_error inside 0 to 1. Caller releases. Errors: AISP_E_USAGE. */
enum aisp_status aisp_bisection_init(struct aisp_bisection *b, size_t n_commits, double max_error, double least_log,
                                     struct aisp_err *err);
void aisp_bisection_release(struct aisp_bisection *b);

/* Errors, of all three: AISP_E_USAGE (no such commit, no measurement). */
enum aisp_status aisp_bisection_add(struct aisp_bisection *b, const struct aisp_bisection_run *run, struct aisp_err *err);
/* It cannot be measured. */
enum aisp_status aisp_bisection_skip(struct aisp_bisection *b, size_t commit, struct aisp_err *err);
/* Two commits whose builds are byte for byte the same: nothing between them is the change. `earlier` may be 0. */
enum aisp_status aisp_bisection_same(struct aisp_bisection *b, size_t earlier, size_t later, struct aisp_err *err);

/* Bring the posterior up to date, and say what is next. STUCK: nothing that could still be measured would tell more. */
struct aisp_bisection_step aisp_bisection_next(struct aisp_bisection *b);

/* Probability that this commit is slow: that the first slower one is it or one before it. */
double aisp_bisection_slow(const struct aisp_bisection *b, size_t commit);

#endif
