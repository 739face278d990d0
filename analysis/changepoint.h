/* changepoint.h - where in a history of runs the level changed, by how much, and how sure that is.
 * The method: binary segmentation over seeded intervals (Vostrikova 1981; Kovacs, Buhlmann, Li and Munk 2023) of a CUSUM of
 * bounded scores (M-procedure with Huber's function: Huskova and Marusiakova 2012), each run weighted by what is known of its
 * own noise; its significance by a wild bootstrap, which needs no distribution but one that leans to neither side; the size by
 * Hodges and Lehmann's shift with Moses' interval (Hollander, Wolfe and Chicken, 3rd ed., section 4.2).
 * Not here: where histories come from (history.h), the noise between runs (noise.h), what a gate makes of a change.
 * Why bounded scores: a run on a crowded machine is 30 % off, and two of them would otherwise be a change.
 * Why not a fixed threshold in percent: it is too wide for quiet rows and cries daily over the noisy ones.
 * A p is of one look at one history. Who looks after every run and counts the first alarm has to expect more of them. */
#ifndef AISP_ANALYSIS_CHANGEPOINT_H
#define AISP_ANALYSIS_CHANGEPOINT_H

#include <stddef.h>

#include "core/base/err.h"

/* One run, in the order in which they ran. Natural logarithms. */
struct aisp_history_point {
    double log_ratio, se_log;    /* se_log: of that run alone; aisp_noise_se_log() */
};

struct aisp_changepoint_rules {
    double alpha;                /* of each test: in a history without changes the rate of false ones */
    int n_draws;                 /* of the bootstrap */
    size_t min_runs;             /* on each side of a change; >= 2 */
};
/* alpha 1 %, 999 draws, 5 runs. */
struct aisp_changepoint_rules aisp_changepoint_rules_default(void);

struct aisp_change_point {
    size_t at;                   /* the first run of the new level, as it seems */
    size_t first, last;          /* 95 %: that run is among these */
    double size_log;             /* new level - old level; > 0: the ratio grew */
    double lo95_log, hi95_log;   /* of size_log; it stands on the runs up to the neighbouring changes, 100 a side at most */
    double p;                    /* of the runs between the neighbouring changes; at least 1 / (n_draws + 1) */
};

/* Ascending by `at`. Starts as { 0 }. */
struct aisp_change_points {
    struct aisp_change_point *point;
    size_t n, cap;
};

/**
 * All changes of a history. The same history gives the same answer: the coins come from a fixed key.
 * @out  empty, filled on success; caller releases. Fewer than 2 min_runs runs hold no change that could be found.
 * Errors: AISP_E_USAGE for what is no measurement (the text names the run) or rules that make no sense.
 */
enum aisp_status aisp_change_points_find(const struct aisp_history_point *run, size_t n, const struct aisp_changepoint_rules *rules,
                                         struct aisp_change_points *out, struct aisp_err *err);
void aisp_change_points_release(struct aisp_change_points *points);

#endif
