/* attention - a few queries over a cache of keys and values, under a mask. Queries may be large (the stress fill): then a
 * softmax that does not take off the largest score overflows. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

enum { Q, K, V, MASK, Y };
enum { SEQ, CACHE, DIM };

static double score_of(const struct aisp_view *in, int64_t s, int64_t j)
{
    const float *q = in->tensor[Q], *k = in->tensor[K];
    const int64_t dim = in->param[DIM];
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        sum += (double)q[s * dim + d] * k[j * dim + d];
    return sum / sqrt((double)dim);
}

static void one_query(const struct aisp_view *in, int64_t s, double *y)
{
    const uint8_t *mask = in->tensor[MASK];
    const float *v = in->tensor[V];
    const int64_t cache = in->param[CACHE], dim = in->param[DIM];
    double most = -INFINITY, total = 0;

    for (int64_t j = 0; j < cache; j++)
        if (mask[s * cache + j])
            most = fmax(most, score_of(in, s, j));
    for (int64_t d = 0; d < dim; d++)
        y[d] = 0;
    for (int64_t j = 0; j < cache; j++) {
        const double p = mask[s * cache + j] ? exp(score_of(in, s, j) - most) : 0;

        total += p;
        for (int64_t d = 0; d < dim; d++)
            y[d] += p * v[j * dim + d];
    }
    for (int64_t d = 0; d < dim && total > 0; d++)
        y[d] /= total;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    for (int64_t s = first; s < first + n; s++)
        one_query(in, s, (double *)to + (s - first) * in->param[DIM]);
}

static const struct aisp_param params[] = {
    { "seq", 16, 16, 0, 8, 20, 1, AISP_SEQUENCE },
    { "cache", 64, 32, 0, 24, 96, 1, AISP_CACHE },
    { "dim", 16, 8, 0, 8, 16, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "q", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 }, { AISP_NORMAL, 0, 60 } },
    { "k", AISP_IN, AISP_F32, "cache, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "cache, dim", { AISP_NORMAL, 0, 1 } },
    { "mask", AISP_IN, AISP_U8, "seq, cache", { AISP_MASK, 0.75, 0 } },
    { "y", AISP_OUT, AISP_F32, "seq, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Attention over a cache, under a mask",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*seq*dim + 8*cache*dim + seq*cache",
    .flops = "~4*seq*cache*dim",
    .tolerance = { .ulps = 2000, .why = "the rounding of a score of some hundreds is that of its exponential, absolutely" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
