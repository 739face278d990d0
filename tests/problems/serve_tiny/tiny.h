/* tiny.h - what the servers of the proofs share: a small recurrent model in whole numbers, so that a token is right or wrong.
 * h' = clamp(W h / 64 + 4 E[token], 0, 127), starting at 0; the next token is the first largest of U h. It depends on all
 * tokens before. A request is a row of arrivals: two numbers that give its lengths, then its prompt. */
#ifndef TESTS_PROBLEMS_TINY_H
#define TESTS_PROBLEMS_TINY_H

#include <string.h>

#include <aisp/serving.h>
#include <aisp/variant.h>

enum { REQUESTS, RATE, TOKENS, PROMPT, DIM, VOCABULARY };
enum { W, E, U, ARRIVALS, EMISSIONS };
enum { MOST_DIM = 64, MOST_REQUESTS = 256, MOST_TOKENS = 16 };

/* One request under way. */
struct stream {
    int32_t request, n_tokens, next, last; /* next: index of the token to emit */
    int32_t h[MOST_DIM];
};

static inline void step(const struct aisp_call *c, int32_t *h, int32_t token)
{
    const int64_t d = c->param[DIM];
    const int8_t *w = c->tensor[W], *e = (const int8_t *)c->tensor[E] + token * d;
    int32_t to[MOST_DIM];

    for (int64_t i = 0; i < d; i++) {
        int32_t sum = 0;

        for (int64_t k = 0; k < d; k++)
            sum += w[i * d + k] * h[k];
        sum = sum / 64 + 4 * e[i];
        to[i] = sum < 0 ? 0 : sum > 127 ? 127 : sum;
    }
    memcpy(h, to, (size_t)d * sizeof *h);
}

static inline int32_t choose(const struct aisp_call *c, const int32_t *h)
{
    const int64_t d = c->param[DIM];
    const int8_t *u = c->tensor[U];
    int32_t best = 0, most = INT32_MIN;

    for (int64_t v = 0; v < c->param[VOCABULARY]; v++) {
        int32_t sum = 0;

        for (int64_t k = 0; k < d; k++)
            sum += u[v * d + k] * h[k];
        if (sum > most) {
            most = sum;
            best = (int32_t)v;
        }
    }
    return best;
}

static inline const int32_t *request_of(const struct aisp_call *c, int32_t request)
{
    return (const int32_t *)c->tensor[ARRIVALS] + (request + 1) * (c->param[PROMPT] + 2);
}

/* Read the prompt of a request that is there. */
static inline void begin(const struct aisp_call *c, struct stream *s, int32_t request)
{
    const int32_t *row = request_of(c, request);
    const int64_t n_prompt = 1 + row[0] % c->param[PROMPT];

    memset(s, 0, sizeof *s);
    s->request = request;
    s->n_tokens = (int32_t)(1 + row[1] % c->param[TOKENS]);
    for (int64_t i = 0; i < n_prompt; i++)
        step(c, s->h, row[2 + i]);
}

/* The next token, emitted. False: it was the last. */
static inline int advance(const struct aisp_call *c, struct stream *s)
{
    if (s->next)
        step(c, s->h, s->last);
    s->last = choose(c, s->h);
    aisp_emit(c->tensor[EMISSIONS], s->request, s->next++, s->last);
    return s->next < s->n_tokens;
}

static inline void await(const struct aisp_call *c, int32_t request)
{
    while (aisp_ring_count(c->tensor[ARRIVALS]) <= request)
        __builtin_ia32_pause();
}

#endif
