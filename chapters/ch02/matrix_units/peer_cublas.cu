/* peer_cublas - what a user would call instead: cublasGemmEx, bf16 in, f32 sums and f32 out.
 * The library is column-major: c turned = b turned times a turned, which is the same memory.
 * Contract: as the baseline's; m,n,k < 2^31. */
#include "kit/cublas.cuh"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct cublas *lib = (const struct cublas *)call->state;
    const int m = (int)call->param[M], n = (int)call->param[N], k = (int)call->param[K];
    const float one = 1, zero = 0;

    return lib->cublasGemmEx_at(lib->handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                                call->tensor[B], CUDA_R_16BF, n, call->tensor[A], CUDA_R_16BF, k,
                                &zero, call->tensor[C], CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                                CUBLAS_GEMM_DEFAULT)
               ? AISP_E_DEVICE
               : AISP_OK;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const enum aisp_status st = cublas_setup(setup);

    return st ? st : aisp_rehearse(setup, run);
}

AISP_DECLARE("idea: cublasGemmEx with bf16 in and f32 out, handle and workspace made in setup\n"
             "uses: library");

AISP_VARIANT = { AISP_ABI, cublas_workspace_bytes, setup, run, cublas_release };
