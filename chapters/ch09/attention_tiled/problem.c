/* attention_tiled - o = softmax(q k^T / sqrt(dim)) v for one head: every query looks at every key.
 * Why it is interesting: written down as it stands there is a matrix of seq x seq scores between two products. Its rows can
 * be worked on in tiles with a maximum and a sum that correct themselves, and then no more than a tile of it ever exists. On
 * a graphics card that saves most of the traffic; one core is seldom held up by the traffic but by how the two products are
 * written. The ladder shows which is which. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* Weights of one query against all keys, as exponentials without any maximum taken off: in f64 the fills are far from
 * overflow. */
static double weights_of(const struct aisp_view *in, int64_t i, double *weight)
{
    const int64_t seq = in->param[SEQ], dim = in->param[DIM];
    const float *q = (const float *)in->tensor[Q] + i * dim, *k = in->tensor[K];
    double sum = 0;

    for (int64_t j = 0; j < seq; j++) {
        double dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += (double)q[d] * k[j * dim + d];
        weight[j] = exp(dot / sqrt((double)dim));
        sum += weight[j];
    }
    return sum;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t seq = in->param[SEQ], dim = in->param[DIM];
    const float *v = in->tensor[V];
    double *o = to, *weight = malloc((size_t)seq * sizeof *weight);

    (void)out;
    if (!weight)
        abort();
    for (int64_t i = first; i < first + n; i++, o += dim) {
        const double sum = weights_of(in, i, weight);

        for (int64_t d = 0; d < dim; d++) {
            o[d] = 0;
            for (int64_t j = 0; j < seq; j++)
                o[d] += weight[j] / sum * v[j * dim + d];
        }
    }
    free(weight);
}

static const struct aisp_param params[] = {
    { "seq", 384, 45, 2048, 340, 420, 1 },
    { "dim", 64, 24, 0, 56, 72, 8 },
    { 0 },
};

/* Scores of deviation 2: a few keys weigh more than all others, as in a trained network. */
static const struct aisp_tensor tensors[] = {
    { "q", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 2 } },
    { "k", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "seq, dim", { AISP_NORMAL, 0, 1 } },
    { "o", AISP_OUT, AISP_F32, "seq, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Attention of one head",
    .teaches = "kernel efficiency: online softmax, tiles of scores, register tiles, lanes across keys",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "16*seq*dim",
    .flops = "~4*seq*seq*dim",
    .tolerance = { .ulps = 32,
                   .length = "seq + dim",
                   .why = "a score is a sum of dim products and of size up to 10 (its roundings move an exponential by as "
                          "many u), the output a sum of seq terms; roundings of either sign grow as the root of their "
                          "number (Higham and Mary 2019), and 16 deviations are allowed: where one key outweighs the others "
                          "a row errs by more than the size of all of them says (the worst of 4,000 outputs by 4.6)" },
    .reference = reference,
};

/* A tile of queries or keys is worked through whole, however few there are. */
AISP_SWEEP("seq=2:128:x4");
