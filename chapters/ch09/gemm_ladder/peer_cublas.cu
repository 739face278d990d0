/* peer_cublas - what a user would call instead: cublasSgemm, in f32 (the default math mode uses no
 * TF32). The library is column-major: c turned = b turned times a turned, which is the same memory.
 * Contract: as the baseline's; m,n,k < 2^31. */
#include "kit/cublas.cuh"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct cublas *lib = (const struct cublas *)call->state;
    const int m = (int)call->param[M], n = (int)call->param[N], k = (int)call->param[K];
    const float one = 1, zero = 0;

    return lib->cublasSgemm_v2_at(lib->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                                  (const float *)call->tensor[B], n, (const float *)call->tensor[A],
                                  k, &zero, (float *)call->tensor[C], n)
               ? AISP_E_DEVICE
               : AISP_OK;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const enum aisp_status st = cublas_setup(setup);

    return st ? st : aisp_rehearse(setup, run);
}

AISP_DECLARE("idea: cublasSgemm in f32, handle and workspace made in setup\n"
             "uses: library");

AISP_VARIANT = { AISP_ABI, cublas_workspace_bytes, setup, run, cublas_release };
