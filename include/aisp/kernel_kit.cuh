/* kernel_kit.cuh - what every CUDA variant needs beside variant.h: checked calls, the call's stream, and sizes of grids.
 * Not here: shapes (the problem has them), memory (the harness makes it), time (nobody in a variant asks for it). */
#ifndef AISP_KERNEL_KIT_CUH
#define AISP_KERNEL_KIT_CUH

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

#include <aisp/variant.h>

/* Leaves the function with AISP_E_DEVICE (AISP_E_NO_MEMORY where that is the reason) if a call of the runtime fails; the worker's
 * log says which. After a launch: AISP_CUDA(cudaGetLastError()). */
#define AISP_CUDA(call)                                                                                     \
    do {                                                                                                    \
        const cudaError_t aisp_error = (call);                                                              \
        if (aisp_error != cudaSuccess)                                                                      \
            return aisp_cuda_failed(#call, __FILE__, __LINE__, aisp_error);                                 \
    } while (0)

static inline enum aisp_status aisp_cuda_failed(const char *call, const char *file, int line, cudaError_t error)
{
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
    return error == cudaErrorMemoryAllocation ? AISP_E_NO_MEMORY : AISP_E_DEVICE;
}

/* The one stream on which a call may enqueue. */
static inline cudaStream_t aisp_stream(const struct aisp_call *call)
{
    return (cudaStream_t)call->stream;
}

/* For setup(): run() once on slot 0, whatever lies there. Libraries load their kernels with the first call of a kind. */
static inline enum aisp_status aisp_rehearse(const struct aisp_setup *setup, enum aisp_status (*run)(const struct aisp_call *))
{
    struct aisp_call call = {};

    call.tensor = setup->slot[0];
    call.param = setup->param;
    call.state = *setup->state;
    call.workspace = setup->workspace;
    call.stream = setup->stream;
    call.n_threads = setup->n_threads;
    call.rank = setup->rank;
    call.n_ranks = setup->n_ranks;
    return run(&call);
}

/* Blocks of `each` that cover n. */
static inline unsigned aisp_blocks(int64_t n, int64_t each)
{
    return (unsigned)((n + each - 1) / each);
}

#endif
