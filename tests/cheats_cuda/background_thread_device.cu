/* background_thread_device - a declared thread launches a kernel in the gap between windows, which costs it little time of the CPU.
 *
 * @defence DEVICE_RECORDER
 * @says while nothing was asked of it */
#include "tests/problems/card_roots/gap.cuh"

static cudaStream_t own;

static void in_the_gap(void)
{
    spend<<<1, 1, 0, own>>>(NULL, NULL, 0, 0);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    return work_in_gaps(in_the_gap);
}

AISP_DECLARE("idea: the gap is not timed\n"
             "uses: threads, streams\n");

VARIANT_WITH_SETUP(setup, counted);
