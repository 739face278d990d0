/* fused_adamw - one step of AdamW over all parameters of a model: new moments, and new parameters from them. Some ten operations an
 * element on four inputs and three outputs: whatever they cost, the memory takes longer, and so does each pass over a temporary.
 * The moments are those of a run in progress: v is a mean of squares, so never below zero. */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *p = in->tensor[P], *g = in->tensor[G], *m = in->tensor[M], *v = in->tensor[V];
    const double b1 = (double)B1, b2 = (double)B2;
    double *y = to;

    for (int64_t i = first; i < first + n; i++) {
        const double gi = (double)g[i], mi = b1 * (double)m[i] + (1 - b1) * gi, vi = b2 * (double)v[i] + (1 - b2) * gi * gi;
        const double step = mi / (double)C1 / (sqrt(vi / (double)C2) + (double)EPSILON);

        *y++ = out == M_NEW ? mi : out == V_NEW ? vi : (double)p[i] - (double)LR * (step + (double)DECAY * (double)p[i]);
    }
}

/* quick: beyond 15 bits, so that an index that was kept in too few is lost at once. */
static const struct aisp_param params[] = {
    { "n", 1000000, 40003, 0, 960000, 1100000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "p", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 0.5 } },
    { "g", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } },
    { "m", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 0.3 } },
    { "v", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.1, 2 } },
    { "p_new", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { "m_new", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { "v_new", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A step of AdamW",
    .teaches = "training: op by op against one fused pass; bytes moved an element",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "28*n",
    .flops = "15*n",
    .tolerance = { .ulps = 8, .why = "a dozen operations, each rounded once; 1 - B2 has lost a digit before" },
    .reference = reference,
};

/* Lanes, and stores past the caches, need some elements before they pay. */
AISP_SWEEP("n=16:65536:x4");
