/* peer_onednn - what a user would call instead: dnnl_gemm_u8s8s32 of oneDNN, whose convention is row-major as ours.
 * Contract: as the baseline's. Its threads are OpenMP's: the harness's number is set once in setup. On a CPU without VNNI the
 * library may saturate sums of two products, and then it is wrong here. */
#include <dnnl.h>

#include <aisp/variant.h>

#include "problem.h"

/* Of the OpenMP runtime that oneDNN brings along; absent in a build of oneDNN without it. */
__attribute__((weak)) void omp_set_num_threads(int n_threads);

static enum aisp_status setup(const struct aisp_setup *setup)
{
    if (omp_set_num_threads)
        omp_set_num_threads(setup->n_threads > 0 ? setup->n_threads : 1);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const int32_t no_offset = 0;

    return dnnl_gemm_u8s8s32('N', 'N', 'F', m, n, k, 1, call->tensor[A], k, 0, call->tensor[B], n, 0, 0, call->tensor[C], n,
                             &no_offset) == dnnl_success
               ? AISP_OK
               : AISP_E_DEVICE;
}

AISP_DECLARE("idea: dnnl_gemm_u8s8s32 of oneDNN, with the threads that the harness gives\n"
             "uses: library, threads, allocates, jit");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
