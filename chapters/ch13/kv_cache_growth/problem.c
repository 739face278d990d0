/* kv_cache_growth - requests that are answered token by token. In step t every request r that is not over (t < tokens[r])
 * gets a key and a value, puts them behind those it has, and attends with its query to all of them:
 *   o[t][r] = softmax of q[t][r] k[0..t][r] / sqrt(dim), times v[0..t][r]; zeros once the request is over.
 * What comes lies as a step brings it, all requests side by side; what a request has must be kept, and grows.
 * Why it is interesting: nobody knows how long an answer becomes. Room for exactly what is there means to copy everything
 * in each step, a work that grows with the square as attention itself does; room for the longest answer means memory for
 * tokens that never come.
 * The rungs keep the same numbers and differ in where: all of them attend with the same code (kit/decode.h). */
#include <math.h>

#include <aisp/problem.h>

#include "problem.h"

/* Exponentials in f64 need no maximum taken off here. */
static void attend(const struct aisp_view *in, int64_t t, int64_t r, double *o)
{
    const int64_t dim = in->param[DIM], step = in->param[REQUESTS] * dim;
    const float *q = (const float *)in->tensor[Q] + t * step + r * dim;
    const float *k = (const float *)in->tensor[K] + r * dim, *v = (const float *)in->tensor[V] + r * dim;
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    if (t >= ((const int32_t *)in->tensor[TOKENS])[r])
        return;
    for (int64_t j = 0; j <= t; j++) {
        double dot = 0, e;

        for (int64_t d = 0; d < dim; d++)
            dot += (double)q[d] * (double)k[j * step + d];
        e = exp(dot / sqrt((double)dim));
        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * (double)v[j * step + d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

/* A row is a request in a step. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t requests = in->param[REQUESTS], dim = in->param[DIM];

    (void)out;
    for (int64_t i = 0; i < n; i++)
        attend(in, (first + i) / requests, (first + i) % requests, (double *)to + i * dim);
}

/* Answers of any length up to `most`; some requests are over before they begin. */
static const struct aisp_param params[] = {
    { "requests", 8, 3, 0, 7, 9, 1 },
    { "most", 384, 384, 0, 384, 400, 1 },
    { "dim", 64, 24, 0, 64, 80, 16 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "tokens", AISP_IN, AISP_I32, "requests", { AISP_INTEGERS, 0, 385 } },
    { "q", AISP_IN, AISP_F32, "most*requests, dim", { AISP_NORMAL, 0, 2 } },
    { "k", AISP_IN, AISP_F32, "most*requests, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "most*requests, dim", { AISP_NORMAL, 0, 1 } },
    { "o", AISP_OUT, AISP_F32, "most*requests, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Caches of keys and values that grow",
    .teaches = "memory of a growing cache: copies, doubling, room for the longest, blocks from a pool",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*requests + 4*most*requests*dim",
    .flops = "0",
    .tolerance = { .ulps = 16,
                   .length = "most + dim",
                   .why = "a score is a sum of dim products and of size up to 10 (its roundings move an exponential by as "
                          "many u), the output a sum of at most `most` terms; roundings of either sign grow as the root of "
                          "their number (Higham and Mary 2019), and 8 deviations are allowed" },
    .reference = reference,
};
