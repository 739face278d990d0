/* calibration.h - how well this machine measures, measured. Made by `aisp calibrate`, kept with an expiry. */
#ifndef AISP_CORE_CALIBRATION_H
#define AISP_CORE_CALIBRATION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include <aisp/problem.h>

#include "core/base/err.h"

/* A window of so many steps of the clock is long enough for it; a clock with coarser steps than this is one for no window. */
enum { AISP_CLOCK_STEPS = 1000, AISP_CLOCK_COARSEST_NS = 100000 };

struct aisp_calibration {
    char host[65];                           /* fingerprint of the machine it holds for */
    int64_t taken_at, expires_at;            /* seconds since 1970; 0: none yet */
    double clock_step_ns, clock_cost_ns;     /* smallest difference seen; cost of a reading */
    double empty_window_ns[3];               /* window of one call of an empty run(): p50 p95 p99 */
    double slack_ns[3];                      /* window - inner: p50 p95 p99, over A/A processes */
    double slack_median_high_ns;             /* highest per-process median of (window - inner) among honest processes */
    double gap_ns[3];                        /* arm -> go */
    double wake_ns[3];                       /* futex wake to running */
    double call_cost_ns;                     /* what the worker's loop adds to a call */
    double aa_floor[4];                      /* 95th percentile of |centre| of A/A runs: L1, L2, L3, DRAM; 0 = not measured */
    double aa_spread[4];                     /* deviation of one A/A pair's log-ratio */
    int n_aa_runs, n_aa_false;
    double fill_gbps, compare_gbps;
    double peak_f32_gflops, peak_copy_gbps[4], peak_read_gbps[4];    /* the roof in tables; 0 = not measured */
    /* Of arithmetic on inputs of these types, by whatever is fastest here: without instructions of their own bf16 and bytes are
     * widened, and their peak is that of f32. 0: not measured, as in calibrations from before it was. */
    double peak_f64_gflops, peak_bf16_gflops, peak_i8_gops;
    double clock_ghz;
    bool spinning;
};

/* The type that a problem's products are of, by the n tensors it declares for one rank: the narrowest that two inputs have (both
 * operands; a mask, a scale or packed weights are one), else the widest. Floats and bytes count, whole numbers of other widths
 * only where there is nothing else. 0: no inputs. */
enum aisp_dtype aisp_arithmetic_of(const struct aisp_tensor *tensor, int n);
/* The ceiling of one core for that arithmetic, GFLOP/s or GOP/s; 0: none was measured. A type of 0 is f32, which all was in
 * records that do not say. */
double aisp_calibration_peak(const struct aisp_calibration *cal, enum aisp_dtype arithmetic);

json_t *aisp_calibration_to_json(const struct aisp_calibration *cal);
enum aisp_status aisp_calibration_from_json(const json_t *json, struct aisp_calibration *cal, struct aisp_err *err);

#endif
