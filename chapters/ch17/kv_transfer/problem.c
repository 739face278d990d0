/* kv_transfer - prefill on one rank, decode on another. Rank 0 takes the prompt's states x through `layers` layers, from
 * each of which the keys x Wk and values x Wv are kept and x' = f(x Wx), f(z) = z / (1 + |z|), goes on. Rank 1 has `queries`
 * samples of one prompt: h = its own x plus the last token's state behind the last layer, and through all layers, with the
 * same layer's keys and values, h' = h / 2 + attention(h Wq), head by head.
 * Why it is interesting: decode cannot begin before prefill has ended, but the cache of all layers but the last is there
 * long before. A hand-over at the end is added to both; one that goes on beside the prefill is not. Prefill makes
 * keys token by token; decode wants them the other way round, the same coordinate of eight tokens in one vector: handing over
 * is a copy that also turns.
 * The tensors of both ranks have the same names: y is the result on rank 1, and on rank 0 the last token's state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

enum { N_DECLARED = 3 };

/* y = x w */
static void by_matrix(const double *x, const float *w, double *y, int64_t dim)
{
    for (int64_t c = 0; c < dim; c++) {
        y[c] = 0;
        for (int64_t k = 0; k < dim; k++)
            y[c] += x[k] * (double)w[k * dim + c];
    }
}

/* kv[l][token][k and v][dim]; last: the last token's state behind the last layer. */
static void prefill(const struct aisp_view *in, double *kv, double *last)
{
    const int64_t dim = in->param[DIM], tokens = in->param[TOKENS];
    double *z = malloc((size_t)dim * sizeof *z);

    if (!z)
        abort();
    for (int64_t t = 0; t < tokens; t++) {
        for (int64_t d = 0; d < dim; d++)
            last[d] = (double)((const float *)in->tensor[X])[t * dim + d];
        for (int64_t l = 0; l < in->param[LAYERS]; l++) {
            const float *w = (const float *)in->tensor[W] + l * PREFILL_MATRICES * dim * dim;
            double *to = kv + (l * tokens + t) * 2 * dim;

            by_matrix(last, w + WK * dim * dim, to, dim);
            by_matrix(last, w + WV * dim * dim, to + dim, dim);
            by_matrix(last, w + WX * dim * dim, z, dim);
            for (int64_t d = 0; d < dim; d++)
                last[d] = z[d] / (1 + fabs(z[d]));
        }
    }
    free(z);
}

static void attend(const double *q, const double *kv, double *h, int64_t tokens, int64_t dim)
{
    for (int64_t first = 0; first < dim; first += HEAD) {
        double o[HEAD] = { 0 }, sum = 0;

        for (int64_t t = 0; t < tokens; t++) {
            double dot = 0, e;

            for (int64_t d = first; d < first + HEAD; d++)
                dot += q[d] * kv[t * 2 * dim + d];
            e = exp(dot / sqrt(HEAD));
            sum += e;
            for (int64_t d = 0; d < HEAD; d++)
                o[d] += e * kv[t * 2 * dim + dim + first + d];
        }
        for (int64_t d = 0; d < HEAD; d++)
            h[first + d] = h[first + d] / 2 + o[d] / sum;
    }
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t dim = in->param[DIM], tokens = in->param[TOKENS], layers = in->param[LAYERS];
    double *kv = malloc((size_t)(layers * tokens * 2 * dim + 2 * dim) * sizeof *kv), *y = to;
    double *last = kv + layers * tokens * 2 * dim, *q = last + dim;

    if (!kv)
        abort();
    prefill(in, kv, last);
    if (out / N_DECLARED == 0)
        memcpy(y, last, (size_t)dim * sizeof *y);
    for (int64_t r = first; r < first + n && out / N_DECLARED; r++, y += dim) {
        for (int64_t d = 0; d < dim; d++)
            y[d] = last[d] + (double)((const float *)in->tensor[N_DECLARED + X])[r * dim + d];
        for (int64_t l = 0; l < layers; l++) {
            by_matrix(y, (const float *)in->tensor[N_DECLARED + W] + l * dim * dim, q, dim);
            attend(q, kv + l * tokens * 2 * dim, y, tokens, dim);
        }
    }
    free(kv);
}

/* quick: two heads. */
static const struct aisp_param params[] = {
    { "tokens", 2000, 45, 0, 1900, 2150, 1 },
    { "layers", 8, 3, 0, 7, 9, 1 },
    { "dim", 16, 32, 0, 16, 16, 16 },
    { "queries", 4, 3, 0, 3, 5, 1 },
    { 0 },
};

/* The cache of all layers, and a state, fit into the rendezvous. With more than 32 numbers these weights enlarge the errors of a
 * state from layer to layer. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "max(queries*rank, most(tokens, (1047552-dim)/(2*layers*dim))*(1-rank)), dim", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "layers, 3-2*rank, most(dim, 32), dim", { AISP_NORMAL, 0, 0.3 } },
    { "y", AISP_OUT, AISP_F32, "max(1, queries*rank), dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Keys and values from a prefill rank to a decode rank",
    .teaches = "disaggregated serving: handing a cache over layer by layer, beside the prefill",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*tokens*dim + 16*layers*dim*dim + 4*queries*dim",
    .flops = "6*tokens*layers*dim*dim",
    .tolerance = { .ulps = 32,
                   .length = "tokens + dim*layers",
                   .why = "a state carries the roundings of dim products a layer, a score those of a key and a query, an "
                          "attention sums up tokens terms; they grow as the root of their number (Higham and Mary 2019)" },
    .reference = reference,
    .ranks = "2",
    .team = AISP_STAGES,
};
