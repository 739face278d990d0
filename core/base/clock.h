/* clock.h - the supervisor's clock: CLOCK_MONOTONIC_RAW, nanoseconds. A worker's clock never decides anything. */
#ifndef AISP_CORE_CLOCK_H
#define AISP_CORE_CLOCK_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline int64_t aisp_now_ns(void)
{
    struct timespec t;

    if (clock_gettime(CLOCK_MONOTONIC_RAW, &t)) /* there is no other clock to fall back to */
        abort();
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void aisp_pause(void) { __builtin_ia32_pause(); }

#endif
