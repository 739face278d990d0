/* kv_layout - keys and values of `tokens` tokens come as a projection writes them, token by token with all heads of one side
 * by side; then `steps` decoding steps read all of them. Step s of head h asks with q[s][h] + o[s-1][h+1 mod heads]: as in
 * decoding, no step can begin before all heads of the one before it have ended.
 * Why it is interesting: written once, read in every step. Left as they come, the keys of one head are pieces of 256 bytes 4
 * KiB apart; whoever moves them once when they are stored can choose the order in which all steps read. The moving counts
 * here, and `steps` says over how many readings it is spread: few, compared with the length of an answer. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* One step of one head, in f64, where exponentials need no maximum taken off. `query` has dim numbers. */
static void attend(const struct aisp_view *in, int64_t h, const double *query, double *o)
{
    const int64_t dim = in->param[DIM], token = in->param[HEADS] * dim;
    const float *k = (const float *)in->tensor[K] + h * dim, *v = (const float *)in->tensor[V] + h * dim;
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t t = 0; t < in->param[TOKENS]; t++) {
        double dot = 0, e;

        for (int64_t d = 0; d < dim; d++)
            dot += query[d] * k[t * token + d];
        e = exp(dot / sqrt((double)dim));
        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * v[t * token + d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

/* A row is a step, and each step needs the one before it: all are computed up to the last that is asked for. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t heads = in->param[HEADS], dim = in->param[DIM], row = heads * dim;
    const float *q = in->tensor[Q];
    double *all = calloc((size_t)((first + n + 1) * row + dim), sizeof *all), *query = all + (first + n + 1) * row;

    (void)out;
    if (!all)
        abort();
    for (int64_t s = 0; s < first + n; s++) /* row s + 1 of `all` is step s, row 0 zeros */
        for (int64_t h = 0; h < heads; h++) {
            for (int64_t d = 0; d < dim; d++)
                query[d] = (double)q[(s * heads + h) * dim + d] + all[s * row + (h + 1) % heads * dim + d];
            attend(in, h, query, all + (s + 1) * row + h * dim);
        }
    for (int64_t i = 0; i < n * row; i++)
        ((double *)to)[i] = all[(first + 1) * row + i];
    free(all);
}

static const struct aisp_param params[] = {
    { "steps", 32, 3, 0, 30, 36, 1 },
    { "tokens", 256, 45, 1024, 240, 280, 1 },
    { "heads", 16, 3, 0, 14, 18, 1 },
    { "dim", 64, 24, 0, 64, 80, 16 },
    { 0 },
};

/* Scores of deviation 3: the output does not become the mean of all values. */
static const struct aisp_tensor tensors[] = {
    { "q", AISP_IN, AISP_F32, "steps, heads, dim", { AISP_NORMAL, 0, 3 } },
    { "k", AISP_IN, AISP_F32, "tokens, heads, dim", { AISP_NORMAL, 0, 1 } },
    { "v", AISP_IN, AISP_F32, "tokens, heads, dim", { AISP_NORMAL, 0, 1 } },
    { "o", AISP_OUT, AISP_F32, "steps, heads, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Decoding steps over keys and values in some layout",
    .teaches = "attention: the layout of a KV cache; reading along memory; lanes across keys",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*tokens*heads*dim + 8*steps*heads*dim",
    .flops = "4*steps*tokens*heads*dim",
    .tolerance = { .ulps = 32,
                   .length = "tokens + dim",
                   .why = "a score is a sum of dim products and of size up to 15 (its roundings move an exponential by as "
                          "many u), the output a sum of `tokens` terms; roundings of either sign grow as the root of their "
                          "number (Higham and Mary 2019); twice what one step is allowed, for errors of a step shrink in "
                          "the next by the root of the sum of squared weights" },
    .reference = reference,
};

/* A tile holds 64 tokens, and is worked through whole also where there are fewer. */
AISP_SWEEP("tokens=4:64:x2");
