/* samples.h - figures that several checks derive from the windows. All pure. */
#ifndef AISP_CHECKS_SAMPLES_H
#define AISP_CHECKS_SAMPLES_H

#include "core/evidence.h"

double aisp_median_or_zero(const double *x, size_t n);

/* Is it a timed window in which that side's own code ran? Those of control pairs are the reference's, whatever their label. */
bool aisp_window_is_timed_of(const struct aisp_evidence *ev, const struct aisp_window *w, int side);

/* Medians over timed windows of a side (0 if there are none): of the window, and of window / calls. */
double aisp_median_window_ns(const struct aisp_evidence *ev, enum aisp_side side);
double aisp_median_call_ns(const struct aisp_evidence *ev, enum aisp_side side);

/* Was nobody put aside at all? On a crowded machine one switch costs tens of milliseconds, and makes a window longer than the
 * worker says by as much: what is to accuse somebody of that must not be made of such windows, however long they are. */
bool aisp_window_is_quiet(const struct aisp_window *w);

/* (window - inner) of a side: the median of a process's quiet windows, and of these the median over its processes. Who changes
 * clocks does it in every process; a process that the machine disturbed stands alone. n_processes 0: none could be judged. */
struct aisp_slack { int n_processes; double median_ns; };
struct aisp_slack aisp_slack(const struct aisp_evidence *ev, enum aisp_side side);

/* The least time of a call by declared work and measured peaks; 0 if the peaks are not known. */
double aisp_floor_ns(const struct aisp_evidence *ev);

#endif
