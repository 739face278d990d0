/* calibrate.h - how well does this machine measure? Found out with targets of our own (harness:empty, tiny, l2, dram), through
 * the same sessions and windows that comparisons use.
 * Not here: keeping the result, its expiry (store/), the machine's peaks. */
#ifndef AISP_RUN_CALIBRATE_H
#define AISP_RUN_CALIBRATE_H

#include "core/run/run.h"

struct aisp_calibrate_spec {
    const struct aisp_backend *backend;
    const struct aisp_catalogue *catalogue; /* holds the harness targets */
    int n_aa_runs;                          /* of each cache class, at least 1 */
    int64_t aa_time_ns;                     /* of each; 0: 2 s */
    struct aisp_key secret;
    const volatile int *stop;                                            /* or NULL */
    void (*progress)(void *context, const char *what, int done, int of); /* or NULL */
    void *progress_context;
};

/* Fills in all but the peaks and the times of taking and expiry; adds to nothing. Errors: AISP_E_NOT_FOUND (no harness
 * targets), AISP_E_UNAVAILABLE, AISP_E_INTERRUPTED, AISP_E_WORKER (a yardstick of ours misbehaves: the detail says how). */
enum aisp_status aisp_calibrate(const struct aisp_calibrate_spec *spec,
                                struct aisp_calibration *cal, struct aisp_err *err);

#endif
