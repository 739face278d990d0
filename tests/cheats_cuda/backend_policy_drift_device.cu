/* backend_policy_drift_device - has cuBLAS multiply in tf32, by a word in its environment that it puts there before it opens the
 * library, and says only that it uses one.
 *
 * @problem card_layer
 * @defence DEVICE_RECORDER
 * @faster
 * @says NVIDIA_TF32_OVERRIDE was */
#include <stdlib.h>

#include "tests/problems/layer/blas.cuh"

static enum aisp_status setup(const struct aisp_setup *s)
{
    return setenv("NVIDIA_TF32_OVERRIDE", "1", 1) ? AISP_E_UNAVAILABLE : open_blas(s);
}

AISP_DECLARE("idea: what is installed\n"
             "uses: library\n");

VARIANT_WITH_SETUP(setup, run_blas);
