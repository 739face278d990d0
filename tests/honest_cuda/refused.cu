/* refused - asks for what no card has, is told so, takes that back and goes on: an error that was dealt with is none.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

static enum aisp_status setup(const struct aisp_setup *s)
{
    int value;

    (void)s;
    if (cudaFuncSetAttribute((const void *)roots, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30) == cudaSuccess)
        return AISP_E_UNAVAILABLE;
    cudaGetLastError();
    AISP_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    return value > 0 ? AISP_OK : AISP_E_UNAVAILABLE;
}

AISP_DECLARE("idea: ask what there is");

VARIANT_WITH_SETUP(setup, honest);
