/* sweeps.h - recorded results whose parameters differ, grouped into sweeps: all but one parameter is the same.
 * Not here: laws and crossings (analysis/scaling.h), the command (bench_scaling.c). */
#ifndef AISP_COMMANDS_ANALYZE_SWEEPS_H
#define AISP_COMMANDS_ANALYZE_SWEEPS_H

#include "commands/analyze/filter.h"

/* One variant at one value. The reference is a series as well, with the ratio 1. */
struct aisp_sweep_point {
    char *sweep;                             /* what is the same, as text; points of one sweep have equal ones */
    char *fixed;                             /* the other parameters as JSON */
    const char *parameter;                   /* "rows"; "threads" and "ranks" are processes */
    const char *target, *device, *reference, *variant, *run;
    double value, time_ns, work;             /* work: of a call, any unit; NaN unless it is needed */
    struct aisp_measured ratio;
    int64_t id;
    bool same_work;                          /* the sweep holds the work of a call, not the other parameters */
};
struct aisp_sweeps { struct aisp_sweep_point *point; size_t n, cap; struct aisp_rows texts; size_t n_runs, n_runs_left; };
#define AISP_SWEEPS_INIT { 0 }

/**
 * Read the parameters of the selection's results and sort them into sweeps.
 * @only  one parameter, or NULL: all that differ
 * @max_runs  so many runs are read, the newest
 * Points are sorted by sweep, variant and value; of results at the same value the newest is kept. Sweeps with fewer than 3
 * values (2 of processes) are left out.
 */
void aisp_sweeps_find(struct aisp_sweeps *sweeps, struct aisp_selection *selection, const char *only, size_t max_runs);
void aisp_sweeps_release(struct aisp_sweeps *sweeps);
bool aisp_sweep_is_of_processes(const char *parameter);

#endif
