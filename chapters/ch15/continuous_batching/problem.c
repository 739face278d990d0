/* continuous_batching - answers to a queue of requests, as many at a time as there are places. A request is the state s
 * behind its prompt and the length of its answer, from 1 to `most` and a quarter of that on average. Each token comes from
 * the one before it (a 0 before the first) by a small recurrent model with whole-numbered weights:
 *   s = limit(floor(W s / 4096) + e[token before]),  token = place of the greatest number of U s, the first of several,
 * where limit() keeps within +-1023. Behind the end of an answer stands -1.
 * Why it is interesting: requests are decoded together because weights that are read for one serve the others as well. A
 * batch that is made once and kept until all have ended decodes at its end for one request what it could for four: with
 * such lengths the longest of four is twice the average, and half of the products are for answers that have ended.
 * Lengths are known here, so that all variants do the same work; none of the rungs makes use of a length before its end.
 * Why not tokens a second under arrivals: all requests are there from the beginning, and so the time for all of them is
 * their throughput. When each comes out is what serve_in_flight asks.
 * All is in whole numbers and every sum fits in 32 bits (dim < 4096): one right answer, whoever shares a batch. */
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

static int64_t product(const int16_t *w, const int64_t *s, int64_t dim)
{
    int64_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * s[i];
    return sum;
}

/* s and next: dim numbers each. */
static int64_t token_after(const struct aisp_view *in, int64_t before, int64_t *s, int64_t *next)
{
    const int64_t dim = in->param[DIM], by = 1 << SHIFT;
    const int16_t *w = in->tensor[W], *e = in->tensor[E], *u = in->tensor[U];
    int64_t best = 0, most = INT64_MIN;

    for (int64_t i = 0; i < dim; i++) {
        const int64_t sum = product(w + i * dim, s, dim), rest = (sum % by + by) % by;

        next[i] = (sum - rest) / by + e[before * dim + i];
        if (next[i] > LIMIT || next[i] < -LIMIT)
            next[i] = next[i] > 0 ? LIMIT : -LIMIT;
    }
    memcpy(s, next, (size_t)dim * sizeof *s);
    for (int64_t v = 0; v < in->param[VOCAB]; v++) {
        const int64_t score = product(u + v * dim, s, dim);

        if (score > most) {
            best = v;
            most = score;
        }
    }
    return best;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t dim = in->param[DIM], most = in->param[MOST];
    int64_t *s = malloc(2 * (size_t)dim * sizeof *s), *token = to;

    (void)out;
    if (!s)
        abort();
    for (int64_t r = first; r < first + n; r++, token += most) {
        const int64_t length = length_of(in->tensor[TRACE], most, r);

        for (int64_t i = 0; i < dim; i++)
            s[i] = ((const int16_t *)in->tensor[STATE])[r * dim + i];
        for (int64_t t = 0; t < most; t++)
            token[t] = t < length ? token_after(in, t ? token[t - 1] : 0, s, s + dim) : NOTHING;
    }
    free(s);
}

/* quick: more places than are multiplied together. */
static const struct aisp_param params[] = {
    { "requests", 36, 13, 0, 34, 39, 1, AISP_BATCH },
    { "most", 32, 14, 0, 30, 35, 1, AISP_STEPS },
    { "places", 4, 5, 0, 3, 4, 1 },
    { "dim", 448, 37, 0, 435, 460, 1 },
    { "vocab", 256, 45, 0, 250, 265, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "trace", AISP_IN, AISP_I32, "requests, 2", { AISP_INTEGERS, 0, 1048576 } },
    { "state", AISP_IN, AISP_I16, "requests, most(dim, 4095)", { AISP_INTEGERS, -512, 512 } },
    { "w", AISP_WEIGHT, AISP_I16, "dim, dim", { AISP_INTEGERS, -512, 512 } },
    { "e", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -512, 512 } },
    { "u", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -512, 512 } },
    { "token", AISP_OUT, AISP_I32, "requests, most", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Answers of different lengths, some at a time",
    .teaches = "inference: static batches; requests that leave a batch; in-flight batching",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*requests + 2*requests*dim + 4*requests*most",
    /* Lengths are in the trace: each answer has one token at least. */
    .flops = "~2*requests*(dim*dim + vocab*dim)",
    .tolerance = { .why = "whole numbers throughout, no sum beyond 32 bits: the tokens are exact" },
    .reference = reference,
};
