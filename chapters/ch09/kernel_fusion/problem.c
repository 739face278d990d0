/* kernel_fusion - y = leaky(x * scale[c] + bias[c] + r): four element-wise steps of a network, each of which is a pass of its
 * own where operators are called one by one. leaky(t) = max(t, t / 8).
 * Why it is interesting: five operations an element cost nothing beside the bytes. Pass by pass an element of y goes to and
 * from memory four times, and what is left to save is only that. A tensor (12 MiB) fits no L2, and the three of a call hardly
 * an L3. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X], *r = in->tensor[R], *scale = in->tensor[SCALE], *bias = in->tensor[BIAS];
    const int64_t cols = in->param[COLS];
    double *y = to;

    (void)out;
    for (int64_t i = first * cols; i < (first + n) * cols; i++) {
        const double t = (double)x[i] * scale[i % cols] + bias[i % cols] + r[i];

        *y++ = t < 0 ? t / 8 : t;
    }
}

static const struct aisp_param params[] = {
    { "rows", 1536, 7, 16384, 1400, 1700, 1 },
    { "cols", 2048, 203, 8192, 1900, 2200, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 } },
    { "r", AISP_IN, AISP_F32, "rows, cols", { AISP_NORMAL, 0, 1 } },
    { "scale", AISP_WEIGHT, AISP_F32, "cols", { AISP_UNIFORM, 0.5, 1.5 } },
    { "bias", AISP_WEIGHT, AISP_F32, "cols", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Scale, bias, residual and activation",
    .teaches = "kernel efficiency: operator fusion; passes over memory; stores that do not read first",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "12*rows*cols + 8*cols",
    .flops = "5*rows*cols",
    .tolerance = { .ulps = 16,
                   .why = "three roundings, each of at most u times a sum of terms that the fill holds below 16, against an "
                          "rms of y above 1; an eighth is exact" },
    .reference = reference,
};

/* Until stores are aligned a row is begun element by element: that is most of a short one. */
AISP_SWEEP("rows=cols=4:256:x2");
