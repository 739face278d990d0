/* sliding_window - causal attention of one head in which a query sees only the last `window` keys, its own position included:
 * o[i] = sum over j of p[j] v[j], p = softmax of q[i] k[j] / sqrt(dim) for i - window < j <= i.
 * Why it is interesting: as a mask over dense attention the window saves nothing, for what is hidden is computed first. Seven
 * of eight scores at these sizes need not be computed at all, and the mask is needed only where a tile crosses an edge of the
 * window. */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

/* In f64 exponentials need no maximum taken off. */
static void attend(const struct aisp_view *in, int64_t i, double *o)
{
    const int64_t dim = in->param[DIM];
    const float *q = (const float *)in->tensor[Q] + i * dim, *k = in->tensor[K], *v = in->tensor[V];
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = i; j >= 0 && j > i - in->param[WINDOW]; j--) {
        double dot = 0, e;

        for (int64_t d = 0; d < dim; d++)
            dot += (double)q[d] * k[j * dim + d];
        e = exp(dot / sqrt((double)dim));
        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * v[j * dim + d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    for (int64_t i = 0; i < n; i++)
        attend(in, first + i, (double *)to + i * in->param[DIM]);
}

static const struct aisp_param params[] = {
    { "seq", 512, 61, 4096, 460, 560, 1 },
    { "window", 64, 9, 256, 56, 72, 1 },
    { "dim", 32, 24, 64, 32, 48, 8 },
    { 0 },
};

/* Scores of deviation 2: a few keys weigh more than all others. */
static const struct aisp_tensor tensors[] = {
    { "q", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 2 } },
    { "k", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 } },
    { "o", AISP_OUT, AISP_F32, "seq, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Causal attention with a sliding window",
    .teaches = "attention: work that a mask hides; skipped blocks; masks at edges only",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "16*seq*dim",
    .flops = "~4*seq*window*dim",
    .tolerance = { .ulps = 32,
                   .length = "window + dim",
                   .why = "a score is a sum of dim products and of size up to 10 (its roundings move an exponential by as "
                          "many u), the output a sum of at most window terms; roundings of either sign grow as the root of "
                          "their number (Higham and Mary 2019), and 16 deviations are allowed: where one key outweighs the "
                          "others a row errs by more than the size of all of them says" },
    .reference = reference,
    .large_omits = "baseline",
};
