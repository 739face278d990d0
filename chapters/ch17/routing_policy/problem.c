/* routing_policy - requests in the order in which they come, each a question about one of 24 documents, go to one of four
 * workers. A worker that has the document's keys and values in its cache answers with one attention; one that has not makes
 * them first, behind the question at hand: of each token x' = f(x + q), f(z) = z / (1 + |z|), x' Wk and x' Wv. It drops what
 * it used longest ago: its cache holds five documents. Later questions are answered from what is there.
 * No worker may get more than a quarter above its share of the requests so far, and four: that is the load that a router has
 * to balance. Asked for are the answers, and which worker each request went to.
 * Why it is interesting: to make the keys and values of a document costs some twenty times what a question about it costs.
 * Together the caches hold 20 of 24 documents, but not if each worker sees all of them; and documents are not equally
 * frequent (P(i) ~ 1/(i+1)): with a fixed home for each, document i at worker i mod 4, one worker would get nearly half of
 * all requests.
 * Why the question goes in: as in a prompt, what stands before the document is in its keys and values. So an answer tells for
 * which question they were made, and nobody can answer as these caches do who keeps more than they hold, or drops something else.
 * What is timed is the work of all four for the whole trace, one after another: the capacity of the fleet. The tail of
 * latencies follows from it: at a given rate the queue is as long as the work is large. Any route within the limit is right,
 * so answers are accepted, each as what its worker's cache then held gives it, not compared with one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

static void product(const double *x, const float *w, double *y, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++) {
        y[i] = 0;
        for (int64_t j = 0; j < dim; j++)
            y[i] += (double)w[i * dim + j] * x[j];
    }
}

/* What a worker has: keys and values, [token][k and v][dim], of a document each; used: by which request last, from 1 on. */
struct cache {
    double *kv[PLACES];
    int64_t used[PLACES];
    int32_t document[PLACES];
};

/* Keys and values of a document behind a question; x has room for a token. */
static void make(const struct aisp_view *in, int32_t document, const float *q, double *kv, double *x)
{
    const int64_t dim = in->param[DIM], tokens = in->param[TOKENS];

    for (int64_t t = 0; t < tokens; t++, kv += 2 * dim) {
        for (int64_t d = 0; d < dim; d++) {
            const double z = (double)((const float *)in->tensor[X])[(document * tokens + t) * dim + d] + (double)q[d];

            x[d] = z / (1 + fabs(z));
        }
        product(x, in->tensor[WK], kv, dim);
        product(x, in->tensor[WV], kv + dim, dim);
    }
}

/* What request r is answered from by the worker that it went to. */
static const double *look_up(const struct aisp_view *in, struct cache *c, int64_t r, double *x)
{
    const int32_t document = ((const int32_t *)in->tensor[DOCUMENT])[r];
    int at = 0;

    for (int p = 0; p < PLACES; p++)
        if (c->used[p] < c->used[at])
            at = p;
    for (int p = 0; p < PLACES; p++)
        if (c->used[p] > 0 && c->document[p] == document)
            at = p;
    if (!c->used[at] || c->document[at] != document)
        make(in, document, (const float *)in->tensor[Q] + r * in->param[DIM], c->kv[at], x);
    c->document[at] = document;
    c->used[at] = r + 1;
    return c->kv[at];
}

static void answer(const float *q, const double *kv, double *o, int64_t tokens, int64_t dim)
{
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t t = 0; t < tokens; t++, kv += 2 * dim) {
        double dot = 0, e;

        for (int64_t d = 0; d < dim; d++)
            dot += (double)q[d] * kv[d];
        e = exp(dot / sqrt((double)dim));
        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * kv[dim + d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

/* Sums of tokens terms and of dim, as in other attentions; 8 deviations. */
static int is_right(const float *y, const double *o, int64_t tokens, int64_t dim)
{
    double rms = 0;

    for (int64_t d = 0; d < dim; d++)
        rms += o[d] * o[d] / (double)dim;
    for (int64_t d = 0; d < dim; d++)
        if (!(fabs(y[d] - o[d]) <= 16 * 0x1p-24 * sqrt((double)(tokens + dim)) * fmax(sqrt(rms), fabs(o[d]))))
            return 0;
    return 1;
}

static int64_t check_routes(const struct aisp_view *in, const int32_t *worker, char *why, int why_size)
{
    int64_t load[WORKERS] = { 0 };

    for (int64_t r = 0; r < in->param[REQUESTS]; r++) {
        if (worker[r] < 0 || worker[r] >= WORKERS) {
            snprintf(why, (size_t)why_size, "request %lld went to worker %d of %d", (long long)r, worker[r], WORKERS);
            return r + 1;
        }
        if (++load[worker[r]] > load_limit(r + 1)) {
            snprintf(why, (size_t)why_size, "worker %d got %lld of the first %lld requests", worker[r],
                     (long long)load[worker[r]], (long long)(r + 1));
            return r + 1;
        }
    }
    return 0;
}

/* The first element that is not what the caches give, plus 1, or 0. The routes are right. */
static int64_t check_answers(const struct aisp_view *in, const void *const *out, char *why, int why_size)
{
    const int64_t dim = in->param[DIM], tokens = in->param[TOKENS], floats = 2 * tokens * dim;
    const int32_t *worker = out[1];
    double *room = malloc((size_t)(WORKERS * PLACES * floats + 2 * dim) * sizeof *room), *o = room, *x = o + dim;
    struct cache cache[WORKERS] = { { { NULL } } };
    int64_t wrong = 0;

    if (!room)
        abort();
    for (int p = 0; p < WORKERS * PLACES; p++)
        cache[p / PLACES].kv[p % PLACES] = x + dim + p * floats;
    for (int64_t r = 0; r < in->param[REQUESTS] && !wrong; r++) {
        answer((const float *)in->tensor[Q] + r * dim, look_up(in, &cache[worker[r]], r, x), o, tokens, dim);
        if (!is_right((const float *)out[0] + r * dim, o, tokens, dim)) {
            snprintf(why, (size_t)why_size, "the answer to request %lld, about document %d, is not what worker %d has",
                     (long long)r, ((const int32_t *)in->tensor[DOCUMENT])[r], worker[r]);
            wrong = r * dim + 1;
        }
    }
    free(room);
    return wrong;
}

static int64_t accept(const struct aisp_view *in, const void *const *out, char *why, int why_size)
{
    const int64_t wrong = check_routes(in, out[1], why, why_size);

    return wrong ? in->param[REQUESTS] * in->param[DIM] + wrong : check_answers(in, out, why, why_size);
}

static const struct aisp_param params[] = {
    { "requests", 256, 37, 0, 240, 280, 1 },
    { "tokens", 48, 11, 0, 44, 53, 1 },
    { "dim", 20, 9, 0, 18, 23, 1 },
    { 0 },
};

/* dim: the size of an answer of a few numbers says little of how large its terms were. */
static const struct aisp_tensor tensors[] = {
    { "document", AISP_IN, AISP_I32, "requests", { AISP_ZIPF, 1, DOCUMENTS } },
    { "x", AISP_IN, AISP_F32, "24, tokens, dim + most(8, dim) - 8", { AISP_NORMAL, 0, 1 } },
    { "wk", AISP_WEIGHT, AISP_F32, "dim, dim", { AISP_NORMAL, 0, 0.25 } },
    { "wv", AISP_WEIGHT, AISP_F32, "dim, dim", { AISP_NORMAL, 0, 0.25 } },
    { "q", AISP_IN, AISP_F32, "requests, dim", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "requests, dim", { AISP_NO_FILL, 0, 0 } },
    { "worker", AISP_OUT, AISP_I32, "requests", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Route questions to the workers that know the document",
    .teaches = "disaggregated serving: round robin, cache-aware and load-aware routing",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    /* Which documents are asked about is in the trace; one is certain. */
    .bytes = "4*tokens*dim + 8*requests*dim + 8*requests",
    .flops = "~4*tokens*dim*dim + 4*requests*tokens*dim",
    .tolerance = { .ulps = 16,
                   .length = "tokens + dim",
                   .why = "stated in accept: of each answer's size, for a key is a sum of dim products and an answer one of "
                          "tokens terms; routes are right within the limit of load" },
    .accept = accept,
};
