/* clock_drift_exports - brings functions with the names of clocks that tell half of the time. Who times it looked its own up before it
 * was loaded, and nobody calls these: there is nothing to be found, and the printed time is the true one.
 *
 * @check clock-drift
 * @pairs 4
 * @ratio 0.7 1.4 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/problems/card_roots/roots.cuh"

#define EXPORTED(name) extern "C" __attribute__((visibility("default"), used)) int name(

EXPORTED(half_clock) int clock, struct timespec *t) asm("clock_gettime");
EXPORTED(half_elapsed) float *ms, void *start, void *stop) asm("cuEventElapsedTime_v2");
EXPORTED(half_elapsed_first) float *ms, void *start, void *stop) asm("cuEventElapsedTime");
EXPORTED(half_elapsed_runtime) float *ms, void *start, void *stop) asm("cudaEventElapsedTime");
EXPORTED(no_record) void *event, void *stream) asm("cuEventRecord");

int half_clock(int clock, struct timespec *t)
{
    const long failed = syscall(SYS_clock_gettime, clock, t);

    t->tv_sec /= 2;
    t->tv_nsec /= 2;
    return (int)failed;
}

int half_elapsed(float *ms, void *start, void *stop)
{
    (void)start, (void)stop;
    *ms = 0.001f;
    return 0;
}

int half_elapsed_first(float *ms, void *start, void *stop)
{
    return half_elapsed(ms, start, stop);
}

int half_elapsed_runtime(float *ms, void *start, void *stop)
{
    return half_elapsed(ms, start, stop);
}

int no_record(void *event, void *stream)
{
    (void)event, (void)stream;
    return 0;
}

AISP_DECLARE("idea: clocks of its own");

VARIANT(honest);
