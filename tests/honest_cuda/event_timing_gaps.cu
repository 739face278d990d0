/* event_timing_gaps - lets each kernel's successor begin early, by programmatic launches, and the successor waits for its memory before
 * it stores. The mark that follows waits for all of them.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

/* roots_early - roots; others may begin at once, and it waits for those before it. Launch: block 256, grid ceil(n/256), programmatic. */
__global__ static void roots_early(const float *x, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    float root;

#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
    root = i < n ? root_of(x[i], steps) : 0;
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
    if (i < n)
        y[i] = root;
}

static enum aisp_status run(const struct aisp_call *c)
{
    cudaLaunchAttribute early;
    cudaLaunchConfig_t how = { dim3(aisp_blocks(c->param[N], THREADS)), dim3(THREADS), 0, aisp_stream(c), &early, 1 };

    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    AISP_CUDA(cudaLaunchKernelEx(&how, roots_early, (const float *)c->tensor[X], (float *)c->tensor[Y], c->param[N],
                                 c->param[STEPS]));
    return AISP_OK;
}

AISP_DECLARE("idea: the next kernel's beginning beside this one's end\n"
             "uses: programmatic-launch\n");

VARIANT(run);
