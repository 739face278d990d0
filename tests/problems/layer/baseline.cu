/* baseline - a dot product for each output, one a thread. */
#include "tests/problems/layer/layer.cuh"

/* linear - y = x w'. Launch: block 128, grid ceil(batch*out/128). Error: |y - y64| <= in u |x||w|, u = 2^-24; Higham 2002 eq. 3.5 */
__global__ static void linear(const float *x, const float *w, float *y, struct shape s)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < s.batch * s.out)
        y[i] = dot(x + i / s.out * s.in, w + i % s.out * s.in, s.in);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct shape s = shape_of(c);

    linear<<<aisp_blocks(s.batch * s.out, THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X],
                                                                                 (const float *)c->tensor[W],
                                                                                 (float *)c->tensor[Y], s);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

VARIANT(run);
