/* wake.h - how long a sleeping thread takes from the futex call that wakes it to its first instruction. */
#ifndef AISP_RUN_WAKE_H
#define AISP_RUN_WAKE_H

#include "core/base/err.h"

/* p50, p95 and p99 over some hundred rounds. Errors: AISP_E_UNAVAILABLE (no thread). */
enum aisp_status aisp_wake_latency(double ns[3], struct aisp_err *err);

#endif
