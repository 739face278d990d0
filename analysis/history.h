/* history.h - the runs of one row in the order in which they ran, with what changed on the way.
 * Not here: how changes are found (changepoint.h), what the noise between runs is (noise.h), which commit a run was of (its
 * manifest: the command looks it up for the few runs that matter). */
#ifndef AISP_ANALYSIS_HISTORY_H
#define AISP_ANALYSIS_HISTORY_H

#include <stdint.h>

#include "analysis/changepoint.h"
#include "analysis/noise.h"
#include "store/store.h"

struct aisp_history_run {
    char run[AISP_RUN_ID_MAX];
    int64_t started_at;                  /* seconds since 1970 */
    double ratio, lo95, hi95;            /* NaN: withheld, or no interval */
    char verdict[12], grade[16];
};

/* What is compared with what, where, and all of its runs. */
struct aisp_history_series {
    char *hardware, *target, *variant, *reference, *device, *size, *goal;
    struct aisp_history_run *run;        /* oldest first */
    size_t n, cap;
    size_t n_older;                      /* runs that the limit left out */
    struct aisp_noise noise;
    struct aisp_change_points changes;   /* their indices are of `run` */
    double level_log;                    /* Hodges and Lehmann's centre since the last change, the 95 % interval beside it; */
    double level_lo_log, level_hi_log;   /* NaN where there are too few runs */
};

struct aisp_history_spec {
    const char *hardware, *target, *variant, *device;   /* names or patterns; NULL: all */
    int64_t since;                       /* seconds since 1970 */
    size_t limit;                        /* newest runs of each series; >= 1 */
};

/* Starts as { 0 }. */
struct aisp_history {
    struct aisp_history_series *series;  /* the one with the newest run first */
    size_t n, cap;
    size_t n_custom;                     /* runs at a size of their own (--set), which no series takes */
};

/**
 * Read and look for changes. Runs whose outputs only were verified are none; invalid ones stay, without a ratio.
 * @history  empty; caller releases, also after an error. Nothing found is no error.
 * Errors: AISP_E_IO.
 */
enum aisp_status aisp_history_load(struct aisp_store *store, const struct aisp_history_spec *spec, struct aisp_history *history,
                                   struct aisp_err *err);
void aisp_history_release(struct aisp_history *history);

#endif
