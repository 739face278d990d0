/* paged_attention - one decoding step for a batch of sequences whose keys and values lie in pages of 16 tokens, anywhere in a
 * pool; table[b][i] is the page that holds tokens 16 i and following of sequence b. The last page of a sequence may be part
 * full.
 * Why it is interesting: pages waste at most 15 tokens a sequence where contiguous caches must be as long as the longest
 * answer. A kernel that wants its keys in a row has to copy them first, and then moves every number twice more than it reads
 * it. */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

/* Token by token, each looked up anew; in f64 exponentials need no maximum taken off. */
static void attend(const struct aisp_view *in, int64_t b, int64_t h, double *o)
{
    const int64_t dim = in->param[DIM];
    const float *q = (const float *)in->tensor[Q] + (b * in->param[HEADS] + h) * dim, *k = in->tensor[K], *v = in->tensor[V];
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t t = 0; t < in->param[SEQ]; t++) {
        const int64_t at = page_at(in->tensor[TABLE], in->param, b, t / PAGE, h) + t % PAGE * dim;
        double dot = 0, e;

        for (int64_t d = 0; d < dim; d++)
            dot += (double)q[d] * k[at + d];
        e = exp(dot / sqrt((double)dim));
        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * v[at + d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t heads = in->param[HEADS], dim = in->param[DIM];
    double *o = to;

    (void)out;
    for (int64_t b = first; b < first + n; b++)
        for (int64_t h = 0; h < heads; h++, o += dim)
            attend(in, b, h, o);
}

static const struct aisp_param params[] = {
    { "batch", 4, 3, 16, 3, 5, 1 },
    { "heads", 4, 2, 8, 3, 5, 1 },
    { "seq", 1000, 45, 0, 900, 1100, 1 },
    { "dim", 64, 24, 0, 64, 80, 16 },
    { 0 },
};

/* The pool has as many pages as the batch uses; each is used once. Scores of deviation 3: no output is the mean of all
 * values. */
static const struct aisp_tensor tensors[] = {
    { "table", AISP_IN, AISP_I64, "batch, (seq+15)/16", { AISP_PERMUTATION, 0, 0 } },
    { "q", AISP_IN, AISP_F32, "batch, heads, dim", { AISP_NORMAL, 0, 3 } },
    { "k", AISP_IN, AISP_F32, "batch*((seq+15)/16), heads, 16, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "batch*((seq+15)/16), heads, 16, dim", { AISP_NORMAL, 0, 1 } },
    { "o", AISP_OUT, AISP_F32, "batch, heads, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "One decoding step over paged keys and values",
    .teaches = "inference: block tables; copies for the sake of contiguity; working in the order of pages",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*batch*heads*seq*dim + 8*batch*heads*dim",
    .flops = "4*batch*heads*seq*dim",
    .tolerance = { .ulps = 16,
                   .length = "seq + dim",
                   .why = "a score is a sum of dim products and of size up to 15 (its roundings move an exponential by as "
                          "many u), the output a sum of seq terms; roundings of either sign grow as the root of their "
                          "number (Higham and Mary 2019), and 8 deviations are allowed" },
    .reference = reference,
};
