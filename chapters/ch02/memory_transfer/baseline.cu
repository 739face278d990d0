/* baseline - x lies in ordinary memory of the host: one copy to the device, then one kernel. */
#include "convert.cuh"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t n = call->param[N];
    int8_t *samples = (int8_t *)call->workspace;

    AISP_CUDA(cudaMemcpyAsync(samples, call->tensor[X], (size_t)n, cudaMemcpyHostToDevice, aisp_stream(call)));
    return convert_on(aisp_stream(call), samples, (float *)call->tensor[Y], n);
}

AISP_DECLARE("idea: one copy from pageable memory, one kernel behind it\n"
             "uses: synchronises\n"
             "place: x=pageable");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = samples_bytes, .setup = NULL, .run = run, .teardown = NULL };
