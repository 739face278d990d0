/* peer_cublas - what a user would call instead: cublasSgemmStridedBatched, one call for the batch,
 * in f32 (the default math mode uses no TF32). The library is column-major: c turned = b turned
 * times a turned, which is the same memory.
 * Contract: as optimized_batched's; batch,m,n,k < 2^31. */
#include "kit/cublas.cuh"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct cublas *lib = (const struct cublas *)call->state;
    const int m = (int)call->param[M], n = (int)call->param[N], k = (int)call->param[K];
    const float one = 1, zero = 0;

    return lib->cublasSgemmStridedBatched_at(
               lib->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, (const float *)call->tensor[B],
               n, (int64_t)k * n, (const float *)call->tensor[A], k, (int64_t)m * k, &zero,
               (float *)call->tensor[C], n, (int64_t)m * n, (int)call->param[BATCH])
               ? AISP_E_DEVICE
               : AISP_OK;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const enum aisp_status st = cublas_setup(setup);

    return st ? st : aisp_rehearse(setup, run);
}

AISP_DECLARE("idea: cublasSgemmStridedBatched, one call for the batch\n"
             "uses: library");

AISP_VARIANT = { AISP_ABI, cublas_workspace_bytes, setup, run, cublas_release };
