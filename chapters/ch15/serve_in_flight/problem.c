/* serve_in_flight - the server of continuous_batching, to which requests now come while it runs. A request is one token, and
 * its answer 1 to `most` tokens, a quarter of that on average, by the same recurrent model with whole-numbered weights; s is
 * 0 before the first token:
 *   s = limit(floor(W s / 4096) + e[token before]),  token = place of the greatest number of U s, the first of several,
 * where limit() keeps within +-1023. At most `places` requests are decoded together: weights that are read for one serve the
 * others as well.
 * Compared is the 99th percentile of TTFT, from when a request was due to its first token.
 * Why it is interesting: in continuous_batching all requests are there from the beginning, and what a place that stands
 * empty costs is time for all of them. Here it costs somebody who waits: a batch that is made once keeps the next request
 * outside until its longest answer has ended, although each step would have had room for it.
 * All is in whole numbers and every sum fits in 32 bits (dim < 4096): one right answer, whoever shares a batch. */
#include <string.h>

#include <aisp/serving.h>

#include "problem.h"

enum { MOST_DIM = 1024 };

static int32_t product(const int16_t *w, const int16_t *s, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * s[i];
    return sum;
}

static int32_t token_after(const struct aisp_view *in, int32_t before, int16_t *s)
{
    const int64_t dim = in->param[DIM], by = 1 << SHIFT;
    const int16_t *w = in->tensor[W], *e = in->tensor[E], *u = in->tensor[U];
    int16_t next[MOST_DIM];
    int32_t best = 0, most = INT32_MIN;

    for (int64_t i = 0; i < dim; i++) {
        const int64_t sum = product(w + i * dim, s, dim), rest = (sum % by + by) % by;
        const int64_t to = (sum - rest) / by + e[before * dim + i];

        next[i] = (int16_t)(to > LIMIT ? LIMIT : to < -LIMIT ? -LIMIT : to);
    }
    memcpy(s, next, (size_t)dim * sizeof *s);
    for (int32_t v = 0; v < in->param[VOCAB]; v++) {
        const int32_t sum = product(u + v * dim, s, dim);

        best = sum > most ? v : best;
        most = sum > most ? sum : most;
    }
    return best;
}

static int64_t answer(const struct aisp_view *in, int64_t request, int32_t *token, int64_t most)
{
    const int32_t *row = (const int32_t *)in->tensor[ARRIVALS] + (request + 1) * WORDS;
    const int64_t n = answer_length(in->param, row);
    int32_t before = (int32_t)first_token(in->param, row);
    int16_t s[MOST_DIM] = { 0 };

    for (int64_t i = 0; i < n && i < most; i++)
        token[i] = before = token_after(in, before, s);
    return n;
}

/* The rate is about half of what full batches serve. quick: more places than are multiplied together, and all of them taken. */
static const struct aisp_param params[] = {
    { "requests", 48, 24, 0, 45, 50, 1 },
    { "rate", 10000, 25000, 0, 9500, 10000, 1 },
    { "most", 32, 14, 0, 30, 33, 1 },
    { "places", 8, 5, 0, 7, 9, 1 },
    { "dim", 320, 301, 0, 310, 325, 1 },
    { "vocab", 192, 203, 0, 186, 198, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "w", AISP_WEIGHT, AISP_I16, "most(dim, 1024), dim", { AISP_INTEGERS, -512, 512 } },
    { "e", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -512, 512 } },
    { "u", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -512, 512 } },
    { "arrivals", AISP_ARRIVALS, AISP_I32, "requests + 1, 3", { AISP_INTEGERS, 0, 1048576 } },
    { "emissions", AISP_EMISSIONS, AISP_I32, "requests * most + 1, 4", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static const struct aisp_serving serving = {
    .process = AISP_POISSON,
    .figure = AISP_TTFT,
    .requests = "requests",
    .per_second = "rate",
    .tokens = "most",
    .ttft_us = "500",
    .tpot_us = "100",
    .answer = answer,
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Serve answers of different lengths",
    .teaches = "serving under load: static batches against in-flight batching; TTFT",
    .goal = AISP_LATENCY,
    .param = params,
    .tensor = tensors,
    .bytes = "2*dim*dim + 2*vocab*dim",
    /* Lengths are in the requests: each answer has one token at least. */
    .flops = "~2*requests*(dim*dim + vocab*dim)",
    .unit = "request",
    .units = "requests",
    .tolerance = { .why = "whole numbers throughout, no sum beyond 32 bits: a token is right or wrong" },
    .serving = &serving,
};
