/* flex_attention - attention in which two small functions decide: a score function, s(i, j) = q[i] k[j] / sqrt(dim) - slope
 * (i - j), and a mask: a query sees keys of its own document up to its own position. The sequence is packed of documents
 * whose lengths are data; the last one goes on to the end. o[i] = softmax over the seen j of s(i, j), times v[j].
 * Why it is interesting: with the functions as parameters of a dense attention every pair is computed, and each asks.
 * Compiled in, they cost little; and a mask that is looked at in blocks beforehand says of most blocks that they need not
 * be computed, and of many of the others that they need no mask. That table is made once and serves all heads. */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

/* The first position of the document that position i lies in. */
static int64_t document_begin(const struct aisp_view *in, int64_t i)
{
    const int32_t *length = in->tensor[LENGTH];
    int64_t begin = 0;

    for (int64_t d = 0; d + 1 < in->param[DOCUMENTS] && begin + length[d] <= i; d++)
        begin += length[d];
    return begin;
}

/* In f64 exponentials need no maximum taken off. */
static void attend(const struct aisp_view *in, int64_t head, int64_t i, double *o)
{
    const int64_t dim = in->param[DIM], at = head * in->param[SEQ] * dim;
    const float *q = (const float *)in->tensor[Q] + at + i * dim, *k = (const float *)in->tensor[K] + at;
    const float *v = (const float *)in->tensor[V] + at;
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = document_begin(in, i); j <= i; j++) {
        double dot = 0, e;

        for (int64_t d = 0; d < dim; d++)
            dot += (double)q[d] * (double)k[j * dim + d];
        e = exp(dot / sqrt((double)dim) - (double)SLOPE_OF(head) * (double)(i - j));
        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * (double)v[j * dim + d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    for (int64_t r = 0; r < n; r++)
        attend(in, (first + r) / in->param[SEQ], (first + r) % in->param[SEQ], (double *)to + r * in->param[DIM]);
}

static const struct aisp_param params[] = {
    { "heads", 2, 2, 0, 2, 3, 1 },
    { "seq", 384, 170, 2048, 360, 400, 1 },
    { "dim", 32, 24, 64, 32, 40, 8 },
    { "documents", 4, 3, 16, 3, 5, 1 },
    { 0 },
};

/* Scores of deviation 2: a few keys weigh more than all others. */
static const struct aisp_tensor tensors[] = {
    { "length", AISP_IN, AISP_I32, "documents", { AISP_INTEGERS, 32, 161 } },
    { "q", AISP_IN, AISP_F32, "heads*seq, dim", { AISP_NORMAL, 0, 2 } },
    { "k", AISP_IN, AISP_F32, "heads*seq, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "heads*seq, dim", { AISP_NORMAL, 0, 1 } },
    { "o", AISP_OUT, AISP_F32, "heads*seq, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Attention with a score function and a document mask",
    .teaches = "code generation: masks and score functions as data, compiled in, and as a table of blocks",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "16*heads*seq*dim",
    .flops = "4*heads*seq*dim",
    .tolerance = { .ulps = 16,
                   .length = "seq + dim",
                   .why = "a score is a sum of dim products and of size up to 10 (its roundings move an exponential by as "
                          "many u), the output a sum of at most seq terms; roundings of either sign grow as the root of "
                          "their number (Higham and Mary 2019), and 8 deviations are allowed" },
    .reference = reference,
};
