/* backend_policy_drift_device - has cuBLAS multiply in tf32 as well: it asks the library for that, and says so.
 *
 * @problem card_layer
 * @pairs 1 */
#include "tests/problems/layer/blas.cuh"

static enum aisp_status setup(const struct aisp_setup *s)
{
    return open_blas_in(s, TF32_MATH);
}

AISP_DECLARE("idea: what is installed, on matrix units\n"
             "uses: library, tf32\n");

VARIANT_WITH_SETUP(setup, run_blas);
