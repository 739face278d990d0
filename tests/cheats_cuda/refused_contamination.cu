/* refused_contamination - writes into every output that it can reach, also those of the other side's calls, and then faults: its own
 * context is lost with it, and nobody else may look worse for it.
 *
 * @check refused
 * @pairs 2
 * @spares A
 * @says returned */
#include "tests/problems/card_roots/roots.cuh"

enum { CALLS_BEFORE = 300 };
static void *output[MOST_SLOTS];
static int n_outputs;

/* fault - stores at address 64. Launch: block 1, grid 1. */
__global__ static void fault(void)
{
    *(volatile float *)64 = 1.0f;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    for (; n_outputs < s->n_slots && n_outputs < MOST_SLOTS; n_outputs++)
        output[n_outputs] = s->slot[n_outputs][Y];
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    if (n_calls++ < CALLS_BEFORE)
        return honest(c);
    for (int i = 0; i < n_outputs; i++)
        AISP_CUDA(cudaMemsetAsync(output[i], 0x5a, bytes_of(c), aisp_stream(c)));
    fault<<<1, 1, 0, aisp_stream(c)>>>();
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: after me the flood");

VARIANT_WITH_SETUP(setup, run);
