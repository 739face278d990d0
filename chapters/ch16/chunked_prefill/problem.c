/* chunked_prefill - a server of a small decoder with a cache. Requests come while it runs, in bursts: a prompt of some
 * hundred tokens each, and an answer of some ten. For the token at place t of prompt and answer together
 *   x = limit(e[token] + p[t]),  k[t] = limit(Wk x / 256),  v[t] = limit(Wv x / 256)
 * and the token that follows is the place of the greatest number (the first of several) of U o, with
 *   q = limit(Wq x / 256),  s[j] = max(0, q k[j]) / 2048 for j = 0 .. t,  o = sum of s[j] v[j] / (1 + sum of s[j]);
 * quotients W x / 256 and s are rounded down, o towards 0; limit() keeps within +-255.
 * Compared is the 99th percentile of TPOT: the time between the tokens of an answer, from its first to its last.
 * Why it is interesting: k and v of a prompt are the work of some hundred tokens before the first token of its answer, and a
 * token of an answer hardly more than one. Whoever does them in one piece lets all answers under way stand still meanwhile,
 * and in a burst for several prompts. What is done for an answer's tokens between pieces of a prompt is paid by the first
 * token behind that prompt, which comes later: TTFT is printed beside the ratio.
 * All is in whole numbers and every sum fits in 32 bits (dim <= 128, at most 512 places): a token is right or wrong. */
#include <stdlib.h>

#include <aisp/serving.h>

#include "problem.h"

enum { MOST_DIM = 128, MOST_PLACES = 512 };

struct sequence {
    int16_t k[MOST_PLACES][MOST_DIM], v[MOST_PLACES][MOST_DIM];
};

static int16_t limited(int64_t a)
{
    return a > LIMIT ? LIMIT : a < -LIMIT ? -LIMIT : (int16_t)a;
}

/* The products of up to 128 numbers within +-255 and others within +-255. */
static int32_t product(const int16_t *a, const int16_t *b, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Rounded down, by a division that rounds towards 0. */
static int64_t quotient(int64_t a, int64_t by)
{
    return (a - (a % by + by) % by) / by;
}

static void project(const struct aisp_view *in, int matrix, const int16_t *x, int16_t *y)
{
    const int64_t dim = in->param[DIM];

    for (int64_t i = 0; i < dim; i++)
        y[i] = limited(quotient(product((const int16_t *)in->tensor[matrix] + i * dim, x, dim), 1 << SHIFT));
}

/* Puts a token behind what is there; x of it remains. */
static void append(const struct aisp_view *in, struct sequence *s, int64_t t, int64_t token, int16_t *x)
{
    const int64_t dim = in->param[DIM];
    const int16_t *e = in->tensor[E], *p = in->tensor[P];

    for (int64_t i = 0; i < dim; i++)
        x[i] = limited(e[token * dim + i] + p[t * dim + i]);
    project(in, WK, x, s->k[t]);
    project(in, WV, x, s->v[t]);
}

static int64_t token_behind(const struct aisp_view *in, const struct sequence *s, int64_t t, const int16_t *x)
{
    const int64_t dim = in->param[DIM];
    const int16_t *u = in->tensor[U];
    int64_t sum[MOST_DIM] = { 0 }, all = 1, best = 0;
    int16_t q[MOST_DIM], o[MOST_DIM];
    int32_t most = INT32_MIN;

    project(in, WQ, x, q);
    for (int64_t j = 0; j <= t; j++) {
        const int64_t qk = product(q, s->k[j], dim), score = qk > 0 ? qk / (1 << SCORE) : 0;

        all += score;
        for (int64_t i = 0; i < dim; i++)
            sum[i] += score * s->v[j][i];
    }
    for (int64_t i = 0; i < dim; i++)
        o[i] = (int16_t)(sum[i] / all);
    for (int64_t c = 0; c < in->param[VOCAB]; c++) {
        const int32_t logit = product(u + c * dim, o, dim);

        best = logit > most ? c : best;
        most = logit > most ? logit : most;
    }
    return best;
}

static int64_t answer(const struct aisp_view *in, int64_t request, int32_t *token, int64_t most)
{
    const int32_t *row = (const int32_t *)in->tensor[ARRIVALS] + (request + 1) * (in->param[PROMPT] + HEAD);
    const int64_t before = prompt_length(in->param, row), n = answer_length(in->param, row);
    struct sequence *s = malloc(sizeof *s);
    int16_t x[MOST_DIM];

    if (!s)
        abort();
    for (int64_t t = 0; t < before; t++)
        append(in, s, t, prompt_token(in->param, row, t), x);
    for (int64_t i = 0; i < n && i < most; i++) {
        if (i)
            append(in, s, before + i - 1, token[i - 1], x);
        token[i] = (int32_t)token_behind(in, s, before + i - 1, x);
    }
    free(s);
    return n;
}

/* A burst is about eight prompts; the work that comes is about half of what a core does. */
static const struct aisp_param params[] = {
    { "requests", 24, 9, 0, 22, 26, 1 },
    { "rate", 1500, 5000, 0, 1400, 1500, 1 },
    { "prompt", 128, 37, 0, 120, 128, 1 },
    { "tokens", 16, 7, 0, 14, 17, 1 },
    { "dim", 96, 45, 0, 90, 96, 1 },
    { "vocab", 96, 53, 0, 90, 100, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "wq", AISP_WEIGHT, AISP_I16, "most(dim, 128), dim", { AISP_INTEGERS, -64, 64 } },
    { "wk", AISP_WEIGHT, AISP_I16, "dim, dim", { AISP_INTEGERS, -64, 64 } },
    { "wv", AISP_WEIGHT, AISP_I16, "dim, dim", { AISP_INTEGERS, -64, 64 } },
    { "e", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -128, 128 } },
    { "p", AISP_WEIGHT, AISP_I16, "prompt + tokens, dim", { AISP_INTEGERS, -128, 128 } },
    { "u", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -64, 64 } },
    { "arrivals", AISP_ARRIVALS, AISP_I32, "requests + 1, most(prompt, 384) + 2", { AISP_INTEGERS, 0, 1048576 } },
    { "emissions", AISP_EMISSIONS, AISP_I32, "requests * most(tokens, 128) + 1, 4", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static const struct aisp_serving serving = {
    .process = AISP_BURSTY,
    .figure = AISP_TPOT,
    .requests = "requests",
    .per_second = "rate",
    .tokens = "tokens",
    .ttft_us = "4000",
    .tpot_us = "100",
    .answer = answer,
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Answer while prompts come",
    .teaches = "serving: whole prompts first, a step between prompts, prompts in pieces; TPOT against TTFT",
    .goal = AISP_LATENCY,
    .param = params,
    .tensor = tensors,
    .bytes = "6*dim*dim + 2*vocab*dim",
    .flops = "~requests*prompt*dim*dim",
    .unit = "request",
    .units = "requests",
    .tolerance = { .why = "whole numbers throughout, no sum beyond 32 bits: a token is right or wrong" },
    .serving = &serving,
};
