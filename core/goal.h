/* goal.h - what is compared, by goal: the one place where a figure is made from evidence.
 *
 *   speed        time per call, block by block (core/evidence.c)
 *   throughput   units per second over the run: the time of all windows of a pair together
 *   latency      99th percentile over all calls of a pair, a window being one call; of a server, of TTFT or TPOT over all requests
 *   memory       proven peak bytes (footprint.h)
 *
 * One estimate a pair, log(A / B): over pairs the procedure is that of speed. Under no difference the sides of a pair can be
 * exchanged (same buffers, same schedule of arrivals, order by coin), so an estimate is as likely above 0 as below whatever the
 * tails, and the rank interval over pairs keeps its level; tests/unit/goal_replay_test.c measures it.
 * Not here: verdicts (core/run/verdict.c), words (commands/). */
#ifndef AISP_CORE_GOAL_H
#define AISP_CORE_GOAL_H

#include "core/evidence.h"

/* The least calls, or requests, of a side of a pair whose p99 is taken. */
enum { AISP_GOAL_LEAST_SAMPLES = 20 };

bool aisp_goal_is_served(const struct aisp_evidence *ev);
/* Does a window of this goal hold one call? */
bool aisp_goal_is_single(enum aisp_goal goal);

/* One pair's estimate for the goals throughput and latency, of windows of this kind; false: not enough is there. */
bool aisp_goal_pair(const struct aisp_evidence *ev, int32_t pair, enum aisp_window_kind kind, double *estimate);

/* Log-ratio by which stamps may be off, both ways: how late requests were handed over and how far apart the looks were, against
 * the figure. 0 where no server was stamped. */
double aisp_goal_slack(const struct aisp_evidence *ev);

/* What there is to describe of one side. */
enum aisp_described { AISP_OF_CALLS, AISP_OF_TTFT, AISP_OF_TPOT };
/* ns, over all timed windows outside of control pairs; caller frees. */
double *aisp_goal_samples(const struct aisp_evidence *ev, enum aisp_side side, enum aisp_described what, size_t *n);
/* Requests that kept the objective, of all; and their number a second of serving. NaN: there was no server. */
void aisp_goal_goodput(const struct aisp_evidence *ev, enum aisp_side side, double *share, double *per_second);
/* Units a second over the run, one unit being a call. */
double aisp_goal_calls_per_second(const struct aisp_evidence *ev, enum aisp_side side);

/* Floor and band of a goal where none was asked for, log ratios; `floor` and `band` are those of speed. */
double aisp_goal_floor(enum aisp_goal goal, double floor);
double aisp_goal_band(enum aisp_goal goal, double band);

#endif
