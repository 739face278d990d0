/* plugin.c - every macro and struct of the public headers in use, in what C11, C17, C++17 and nvcc have in common:
 * initialisers by position. */
#include <aisp/variant.h>

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = (const float *)in->tensor[0];
    double *y = (double *)to;

    (void)out;
    for (int64_t i = 0; i < n; i++)
        y[i] = x[first + i];
}

static const struct aisp_param params[] = {
    { "n", 64, 5, 0, 32, 128, 1, AISP_PLAIN },
    { 0, 0, 0, 0, 0, 0, 0, AISP_PLAIN },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 }, { AISP_NO_FILL, 0, 0 }, AISP_NO_SPLIT, AISP_CACHED },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 }, { AISP_NO_FILL, 0, 0 }, AISP_NO_SPLIT, AISP_CACHED },
    { 0, AISP_IN, AISP_F32, 0, { AISP_NO_FILL, 0, 0 }, { AISP_NO_FILL, 0, 0 }, AISP_NO_SPLIT, AISP_CACHED },
};

AISP_PROBLEM = { AISP_ABI, "Copy", "nothing", AISP_SPEED, params, tensors, "8*n", "0", 0, 0,
                 { 0, 0, 0, "a copy" }, reference, 0, 0, 0, 0, 0, 0, 0, AISP_IN_STEP, 0 };

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = (const float *)call->tensor[0];
    float *y = (float *)call->tensor[1];

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: a loop");

AISP_VARIANT = { AISP_ABI, 0, 0, run, 0 };
