/* reference - the program in f64 by one block, which walks over the vector for each step. Its two vectors are allocated in
 * stream order: what is asked for may be one row, but each needs all. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 1024 };

struct inputs { const int32_t *op, *reach; const float *amount, *x; };

__device__ static double step(int op, double amount, double own, double next)
{
    switch (op) {
    case SCALE:
        return own * amount;
    case SHIFT:
        return own + amount;
    case LEAKY:
        return fmax(own, (double)LEAK * own);
    default:
        return (double)MIX_OWN * own - (double)MIX_NEXT * next;
    }
}

/* v (2, n): both vectors, in turn. */
__global__ static void __launch_bounds__(THREADS) interpret(struct inputs in, double *v, int64_t n, int64_t steps)
{
    double *from = v, *to = v + n, *swap;

    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        from[i] = in.x[i];
    for (int64_t s = 0; s < steps; s++) {
        __syncthreads();
        for (int64_t i = threadIdx.x; i < n; i += THREADS)
            to[i] = step(in.op[s], in.amount[s], from[i], from[(i + in.reach[s]) % n]);
        swap = from;
        from = to;
        to = swap;
    }
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n_rows, void *to)
{
    const struct inputs inputs = { (const int32_t *)in->tensor[OPERATOR], (const int32_t *)in->tensor[REACH],
                                   (const float *)in->tensor[AMOUNT], (const float *)in->tensor[X] };
    const cudaStream_t stream = (cudaStream_t)in->stream;
    const int64_t cols = in->param[COLS], n = in->param[ROWS] * cols, steps = in->param[STEPS];
    double *v = NULL;

    (void)out;
    AISP_CUDA(cudaMallocAsync((void **)&v, 2 * (size_t)n * sizeof *v, stream));
    interpret<<<1, THREADS, 0, stream>>>(inputs, v, n, steps);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaMemcpyAsync(to, v + steps % 2 * n + first * cols, (size_t)(n_rows * cols) * sizeof *v,
                              cudaMemcpyDeviceToDevice, stream));
    AISP_CUDA(cudaFreeAsync(v, stream));
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
