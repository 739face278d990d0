/* priority_latency - a server with two kinds of work. Three requests of four are conversations: one token comes, and an
 * answer of some ten is awaited. The fourth is a document of some hundred tokens, about which one token is said. Both go
 * through one small recurrent model with whole-numbered weights; s is 0 before the first token:
 *   s = limit(floor(W s / 4096) + e[token]),  next token = place of the greatest number of U s, the first of several,
 * where limit() keeps within +-1023. An answer's token is read before the next comes out.
 * Compared is the 99th percentile of TPOT, the time between the tokens of an answer, from its first to its last. An answer
 * of one token has none: only conversations count. That is how priorities can be seen here, for the harness knows no
 * classes of requests. Documents must be served as well, and a call ends with the last of them.
 * Why it is interesting: nobody waits for a document's single token as for the next word. A queue in order of arrival is
 * fair to work, and so a word waits behind every document that is there. Who goes first is decided between pieces of work,
 * so that a piece that runs is waited for in any case, as a kernel's block is on a card.
 * All is in whole numbers and every sum fits in 32 bits (dim < 4096): a token is right or wrong. */
#include <string.h>

#include <aisp/serving.h>

#include "problem.h"

enum { MOST_DIM = 512 };

static int32_t product(const int16_t *w, const int16_t *s, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * s[i];
    return sum;
}

static void go_on(const struct aisp_view *in, int64_t token, int16_t *s)
{
    const int64_t dim = in->param[DIM], by = 1 << SHIFT;
    const int16_t *w = in->tensor[W], *e = in->tensor[E];
    int16_t next[MOST_DIM];

    for (int64_t i = 0; i < dim; i++) {
        const int64_t sum = product(w + i * dim, s, dim), rest = (sum % by + by) % by;
        const int64_t to = (sum - rest) / by + e[token * dim + i];

        next[i] = (int16_t)(to > LIMIT ? LIMIT : to < -LIMIT ? -LIMIT : to);
    }
    memcpy(s, next, (size_t)dim * sizeof *s);
}

static int32_t largest(const struct aisp_view *in, const int16_t *s)
{
    const int64_t dim = in->param[DIM];
    const int16_t *u = in->tensor[U];
    int32_t best = 0, most = INT32_MIN;

    for (int32_t v = 0; v < in->param[VOCAB]; v++) {
        const int32_t sum = product(u + v * dim, s, dim);

        best = sum > most ? v : best;
        most = sum > most ? sum : most;
    }
    return best;
}

static int64_t answer(const struct aisp_view *in, int64_t request, int32_t *token, int64_t most)
{
    const int32_t *row = (const int32_t *)in->tensor[ARRIVALS] + (request + 1) * (in->param[DOCUMENT] + HEAD);
    const int64_t n = answer_length(in->param, row);
    int16_t s[MOST_DIM] = { 0 };

    for (int64_t i = 0; i < read_length(in->param, row); i++)
        go_on(in, token_to_read(in->param, row, i), s);
    for (int64_t i = 0; i < n && i < most; i++) {
        if (i)
            go_on(in, token[i - 1], s);
        token[i] = largest(in, s);
    }
    return n;
}

/* The work that comes is about half of what a core does, and more than half of it is documents. */
static const struct aisp_param params[] = {
    { "requests", 32, 32, 0, 30, 34, 1 },
    { "rate", 2600, 24000, 0, 2400, 2600, 1 },
    { "document", 128, 37, 0, 120, 128, 1 },
    { "tokens", 16, 6, 0, 14, 17, 1 },
    { "dim", 192, 125, 0, 186, 194, 1 },
    { "vocab", 192, 101, 0, 186, 198, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "w", AISP_WEIGHT, AISP_I16, "most(dim, 512), dim", { AISP_INTEGERS, -512, 512 } },
    { "e", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -512, 512 } },
    { "u", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -512, 512 } },
    { "arrivals", AISP_ARRIVALS, AISP_I32, "requests + 1, document + 2", { AISP_INTEGERS, 0, 1048576 } },
    { "emissions", AISP_EMISSIONS, AISP_I32, "requests * tokens + 1, 4", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static const struct aisp_serving serving = {
    .process = AISP_POISSON,
    .figure = AISP_TPOT,
    .requests = "requests",
    .per_second = "rate",
    .tokens = "tokens",
    .ttft_us = "5000",
    .tpot_us = "50",
    .answer = answer,
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Converse while documents are read",
    .teaches = "priorities: first come, first served against conversations first; p99 under load",
    .goal = AISP_LATENCY,
    .param = params,
    .tensor = tensors,
    .bytes = "2*dim*dim + 2*vocab*dim",
    .flops = "~2*requests*(dim*dim + vocab*dim)",
    .unit = "request",
    .units = "requests",
    .tolerance = { .why = "whole numbers throughout, no sum beyond 32 bits: a token is right or wrong" },
    .serving = &serving,
};
