/* serve_tiny - requests for tokens of a small model, arriving while the call runs. */
#include <math.h>

#include <aisp/serving.h>

enum { REQUESTS, RATE, TOKENS, PROMPT, DIM, VOCABULARY };
enum { W, E, U, ARRIVALS };
enum { MOST_DIM = 64 };

/* In doubles, which hold these whole numbers exactly, and by columns. */
static void step(const struct aisp_view *in, double *h, int64_t token)
{
    const int64_t d = in->param[DIM];
    const int8_t *w = in->tensor[W], *e = in->tensor[E];
    double sum[MOST_DIM] = { 0 };

    for (int64_t k = 0; k < d; k++)
        for (int64_t i = 0; i < d; i++)
            sum[i] += (double)w[i * d + k] * h[k];
    for (int64_t i = 0; i < d; i++)
        h[i] = fmin(127, fmax(0, trunc(sum[i] / 64) + 4.0 * e[token * d + i]));
}

static int64_t largest(const struct aisp_view *in, const double *h)
{
    const int64_t d = in->param[DIM];
    const int8_t *u = in->tensor[U];
    int64_t best = -1;
    double most = 0;

    for (int64_t v = in->param[VOCABULARY] - 1; v >= 0; v--) {
        double sum = 0;

        for (int64_t k = d - 1; k >= 0; k--)
            sum += (double)u[v * d + k] * h[k];
        if (best < 0 || sum >= most) {
            most = sum;
            best = v;
        }
    }
    return best;
}

static int64_t answer(const struct aisp_view *in, int64_t request, int32_t *token, int64_t most)
{
    const int32_t *row =
        (const int32_t *)in->tensor[ARRIVALS] + (request + 1) * (in->param[PROMPT] + 2);
    const int64_t n_prompt = 1 + row[0] % in->param[PROMPT], n = 1 + row[1] % in->param[TOKENS];
    double h[MOST_DIM] = { 0 };

    for (int64_t i = 0; i < n_prompt; i++)
        step(in, h, row[2 + i]);
    for (int64_t i = 0; i < n && i < most; i++) {
        if (i)
            step(in, h, token[i - 1]);
        token[i] = (int32_t)largest(in, h);
    }
    return n;
}

static const struct aisp_param params[] = {
    { "requests", 40, 8, 0, 16, 48, 1 },
    { "rate", 30000, 30000, 0, 5000, 30000, 1000 },
    { "tokens", 8, 4, 0, 2, 8, 1 },
    { "prompt", 6, 4, 0, 1, 8, 1 },
    { "d", 32, 32, 0, 16, 48, 16 },
    { "vocabulary", 64, 64, 0, 64, 64, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "w", AISP_WEIGHT, AISP_I8, "d, d", { AISP_INTEGERS, -8, 8 } },
    { "e", AISP_WEIGHT, AISP_I8, "vocabulary, d", { AISP_INTEGERS, -8, 8 } },
    { "u", AISP_WEIGHT, AISP_I8, "vocabulary, d", { AISP_INTEGERS, -8, 8 } },
    { "arrivals", AISP_ARRIVALS, AISP_I32, "requests + 1, prompt + 2", { AISP_INTEGERS, 0, 64 } },
    { "emissions", AISP_EMISSIONS, AISP_I32, "requests * tokens + 1, 4", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

static const struct aisp_serving serving = {
    .process = AISP_POISSON,
    .figure = AISP_TTFT,
    .requests = "requests",
    .per_second = "rate",
    .tokens = "tokens",
    .ttft_us = "200",
    .tpot_us = "20",
    .answer = answer,
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Serve tokens of a small model",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_LATENCY,
    .param = params,
    .tensor = tensors,
    .bytes = "d*d + 2*vocabulary*d",
    .flops = "~2*requests*d*(d + vocabulary)",
    .unit = "request",
    .units = "requests",
    .tolerance = { .why = "whole numbers: a token is right or wrong" },
    .informational = "made for the proofs of the protections",
    .serving = &serving,
};
