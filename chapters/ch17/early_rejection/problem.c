/* early_rejection - prefill and decode apart, and more requests than decode has places for.
 * Time goes in iterations, as in a batching engine: a request that comes at iteration a has its prompt of p tokens prefilled
 * at a + p (the prefill side has room for all) and then asks for one of the decode side's places, of which each is taken for
 * as many iterations as the answer has tokens. If all are taken it is refused, and its row of the result is zeros. Else the
 * row is the state h behind the last token: keys and values of a token with state x are Wk x and Wv x, h begins as the state
 * e[] of the prompt's last token, a step is h' = f(h / 2 + attention(Wq h)) over all keys so far, f(z) = z / (1 + |z|), and
 * h' is the next token.
 * Why it is interesting: about seven of ten requests are refused, and by then their prompts have been paid for. Whether
 * there will be a place can be told before, from lengths alone: those who come later but ask earlier are in the trace too (a
 * live server predicts them).
 * Why not answers a second under a deadline: who is served would then depend on how fast the server is, and two servers
 * would not do the same work. Here the same requests are served by all; what differs is what the refused ones cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

static void multiply(const float *w, const double *x, double *y, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++) {
        y[i] = 0;
        for (int64_t j = 0; j < dim; j++)
            y[i] += (double)w[i * dim + j] * x[j];
    }
}

/* Iteration by iteration; takes[i]: request i has a place until then. */
static int is_served(const struct aisp_view *in, int64_t request)
{
    const int32_t *trace = in->tensor[TRACE];
    const int64_t requests = in->param[REQUESTS];
    int64_t *asks = calloc(2 * (size_t)requests, sizeof *asks), *until = asks + requests, at = 0, last = 0;

    if (!asks)
        abort();
    for (int64_t r = 0; r < requests; r++) {
        at += gap_of(trace, r);
        asks[r] = at + prompt_of(trace, in->param, r);
        last = asks[r] > last ? asks[r] : last;
    }
    for (int64_t now = 0; now <= last; now++)
        for (int64_t r = 0; r < requests; r++) {
            int64_t taken = 0;

            for (int64_t i = 0; i < requests && asks[r] == now; i++)
                taken += until[i] > now;
            if (asks[r] == now && taken < in->param[PLACES])
                until[r] = now + answer_of(trace, in->param, r);
        }
    at = until[request];
    free(asks);
    return at > 0;
}

/* `tokens` states, each dim numbers: those of the prompt, then those that are made. */
static void step(const struct aisp_view *in, double *state, int64_t tokens)
{
    const int64_t dim = in->param[DIM];
    double *h = state + (tokens - 1) * dim, *next = h + dim, q[MOST_DIM], kv[MOST_DIM], sum = 0;

    multiply(in->tensor[WQ], h, q, dim);
    memset(next, 0, (size_t)dim * sizeof *next);
    for (int64_t t = 0; t < tokens; t++) {
        double dot = 0, weight;

        multiply(in->tensor[WK], state + t * dim, kv, dim);
        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * kv[d];
        weight = exp(dot / sqrt((double)dim));
        sum += weight;
        multiply(in->tensor[WV], state + t * dim, kv, dim);
        for (int64_t d = 0; d < dim; d++)
            next[d] += weight * kv[d];
    }
    for (int64_t d = 0; d < dim; d++)
        next[d] = (h[d] / 2 + next[d] / sum) / (1 + fabs(h[d] / 2 + next[d] / sum));
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t dim = in->param[DIM], most = in->param[PROMPT] + in->param[TOKENS];
    double *state = malloc((size_t)(most * dim) * sizeof *state), *y = to;

    (void)out;
    if (!state || dim > MOST_DIM)
        abort();
    for (int64_t r = first; r < first + n; r++, y += dim) {
        const int32_t *ids = (const int32_t *)in->tensor[IDS] + r * in->param[PROMPT];
        const int64_t prompt = prompt_of(in->tensor[TRACE], in->param, r);
        const int64_t end = prompt + answer_of(in->tensor[TRACE], in->param, r);

        memset(y, 0, (size_t)dim * sizeof *y);
        if (!is_served(in, r))
            continue;
        for (int64_t i = 0; i < prompt * dim; i++)
            state[i] = (double)((const float *)in->tensor[E])[ids[i / dim] * dim + i % dim];
        for (int64_t t = prompt; t < end; t++)
            step(in, state, t);
        memcpy(y, state + (end - 1) * dim, (size_t)dim * sizeof *y);
    }
    free(state);
}

/* quick: some prompts are longer than what is attended to at once. */
static const struct aisp_param params[] = {
    { "requests", 160, 29, 0, 150, 175, 1 },
    { "prompt", 96, 150, 0, 90, 105, 1 },
    { "tokens", 24, 9, 0, 22, 26, 1 },
    { "places", 4, 2, 0, 4, 5, 1 },
    { "dim", 24, 11, 0, 22, 27, 1 },
    { 0 },
};

/* dim is MOST_DIM at most. */
static const struct aisp_tensor tensors[] = {
    { "trace", AISP_IN, AISP_I32, "requests, 3", { AISP_INTEGERS, 0, 1048576 } },
    { "ids", AISP_IN, AISP_I32, "requests, prompt", { AISP_INTEGERS, 0, 256 } },
    { "e", AISP_WEIGHT, AISP_F32, "256, most(dim, 32)", { AISP_NORMAL, 0, 1 } },
    { "wq", AISP_WEIGHT, AISP_F32, "dim, dim", { AISP_NORMAL, 0, 0.25 } },
    { "wk", AISP_WEIGHT, AISP_F32, "dim, dim", { AISP_NORMAL, 0, 0.25 } },
    { "wv", AISP_WEIGHT, AISP_F32, "dim, dim", { AISP_NORMAL, 0, 0.25 } },
    { "y", AISP_OUT, AISP_F32, "requests, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Prefill for a decode side that refuses",
    .teaches = "disaggregated serving: early rejection; work that is thrown away under overload",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "12*requests + 4*requests*dim",
    /* Who is served and how long their prompts are is in the trace; this much holds for `places` prompts of one token. */
    .flops = "~4*places*dim*dim",
    .tolerance = { .ulps = 64,
                   .length = "prompt + tokens + dim",
                   .why = "a score is a sum of dim products and moves an exponential by as much, an attention sums up to "
                          "prompt + tokens terms; a step carries the error of the state before it, halved and through its "
                          "query, and all steps together add less than eight times the error of one" },
    .reference = reference,
};
