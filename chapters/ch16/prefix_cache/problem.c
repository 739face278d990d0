/* prefix_cache - a prompt is `depth` segments (instructions, tools, documents, questions) out of a library of eight, a
 * segment `tokens` tokens. From token to token a state goes on, z = W h + e[token], h = z / (1 + |z|), that begins with
 * zeros; asked for is the state at the end of each prompt. The state stands for what a server computes of a prompt, keys and
 * values: it depends on all tokens before it and on nothing else, so prompts that begin alike have the same states as far as
 * they are alike.
 * Why it is interesting: some segments are far more frequent than others (P(i) ~ 1/(i+1)^3), and three quarters of all states
 * are in the prefix of some earlier prompt. Which ones is known only when the prompts are seen. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

static void advance(const float *w, const float *e, double *h, double *z, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++) {
        z[i] = e[i];
        for (int64_t j = 0; j < dim; j++)
            z[i] += (double)w[i * dim + j] * h[j];
    }
    for (int64_t i = 0; i < dim; i++)
        h[i] = z[i] / (1 + fabs(z[i]));
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t depth = in->param[DEPTH], tokens = in->param[TOKENS], dim = in->param[DIM];
    const int32_t *prompt = in->tensor[PROMPT];
    const float *e = in->tensor[E];
    double *h = to, *z = malloc((size_t)dim * sizeof *z);

    (void)out;
    if (!z)
        abort();
    for (int64_t r = first; r < first + n; r++, h += dim) {
        memset(h, 0, (size_t)dim * sizeof *h);
        for (int64_t t = 0; t < depth * tokens; t++)
            advance(in->tensor[W], e + (prompt[r * depth + t / tokens] * tokens + t % tokens) * dim, h, z, dim);
    }
    free(z);
}

/* quick: more than the sums that registers hold. */
static const struct aisp_param params[] = {
    { "requests", 96, 11, 0, 88, 108, 1 },
    { "depth", 6, 3, 0, 5, 7, 1 },
    { "tokens", 8, 3, 0, 7, 9, 1 },
    { "dim", 48, 76, 0, 44, 52, 1 },
    { 0 },
};

/* With W as small as this the map contracts, but slowly: a state remembers many tokens. Where dim is much larger it does not. */
static const struct aisp_tensor tensors[] = {
    { "prompt", AISP_IN, AISP_I32, "requests, depth", { AISP_ZIPF, 3, 8 } },
    { "e", AISP_WEIGHT, AISP_F32, "8, tokens, most(dim, 96)", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "dim, dim", { AISP_NORMAL, 0, 0.2 } },
    { "h", AISP_OUT, AISP_F32, "requests, dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "States of prompts that begin alike",
    .teaches = "inference: prefix caching; a radix tree of what was computed; work that need not be done again",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*requests*depth + 32*tokens*dim + 4*dim*dim + 4*requests*dim",
    .flops = "~2*requests*depth*tokens*dim*dim",
    .tolerance = { .ulps = 32,
                   .length = "dim",
                   .why = "a state is a sum of dim products, whose rounding errors grow as the root of dim (Higham and Mary "
                          "2019); what it inherits from the states before shrinks from step to step, so that all of them "
                          "together are a few times the last one" },
    .reference = reference,
};
