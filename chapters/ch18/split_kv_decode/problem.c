/* split_kv_decode - one step of decoding: each of kv_heads * group query heads attends to the seq cached keys and values of
 * its kv head, o = softmax(q k^T / sqrt(dim)) v with one query a head. The heads of a group share keys and values (grouped
 * queries).
 * Why it is interesting: two flops for each cached number and head, so reading the cache is what limits. The cache of a kv
 * head (4 MiB) fits no L2: how often it is read is the programmer's choice. On a graphics card the cache is split along seq
 * so that all cores have work; on one core the same split decides what is in the near cache when the next head of the group
 * comes. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* One query head, in f64 and in one pass: exponentials need no maximum there. */
static void attend(const float *q, const float *k, const float *v, double *o, const int64_t *param)
{
    const int64_t dim = param[DIM];
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = 0; j < param[SEQ]; j++) {
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
    const int64_t dim = in->param[DIM], cached = in->param[SEQ] * dim;
    const float *q = in->tensor[Q], *k = in->tensor[K], *v = in->tensor[V];
    double *o = to;

    (void)out;
    for (int64_t h = first; h < first + n; h++, o += dim) {
        const int64_t kv = h / in->param[GROUP];

        attend(q + h * dim, k + kv * cached, v + kv * cached, o, in->param);
    }
}

static const struct aisp_param params[] = {
    { "kv_heads", 2, 2, 0, 2, 2, 1 },
    { "group", 8, 5, 0, 6, 10, 1 },
    { "seq", 8192, 333, 0, 7500, 9000, 1 },
    { "dim", 64, 24, 0, 48, 80, 16 },
    { 0 },
};

/* Scores of deviation 3: the output does not become the mean of all values. */
static const struct aisp_tensor tensors[] = {
    { "q", AISP_IN, AISP_F32, "kv_heads*group, dim", { AISP_NORMAL, 0, 3 } },
    { "k", AISP_IN, AISP_F32, "kv_heads, seq, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "kv_heads, seq, dim", { AISP_NORMAL, 0, 1 } },
    { "o", AISP_OUT, AISP_F32, "kv_heads*group, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "One decoding step over a long cache",
    .teaches = "attention: split-KV decoding, partial softmax and its combination; reading a shared cache once",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*kv_heads*seq*dim + 8*kv_heads*group*dim",
    .flops = "4*kv_heads*group*seq*dim",
    .tolerance = { .ulps = 16,
                   .length = "seq + dim",
                   .why = "a score is a sum of dim products and of size up to 15 (its roundings move an exponential by as "
                          "many u), the output a sum of seq terms; roundings of either sign grow as the root of their "
                          "number (Higham and Mary 2019), and 8 deviations are allowed" },
    .reference = reference,
};
