/* warmup_bleed - its first call is slow, for it makes what all later ones use: a stream's worth of events. Every call computes.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

enum { EVENTS = 64 };

static enum aisp_status run(const struct aisp_call *c)
{
    static cudaEvent_t event[EVENTS];
    static int at;

    if (!event[0])
        for (int i = 0; i < EVENTS; i++)
            AISP_CUDA(cudaEventCreateWithFlags(&event[i], cudaEventDisableTiming));
    if (honest(c))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaEventRecord(event[at++ % EVENTS], aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: events made when they are needed first");

VARIANT(run);
