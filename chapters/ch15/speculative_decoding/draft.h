/* draft.h - draft and verify. The draft is the first DRAFT_LAYERS of the model's own layers with the model's U: nothing is
 * trained, tuned or looked up. It guesses up to three tokens one by one; then the token that is known and the guesses go
 * through the model together. What the model says behind the first is right in any case, what it says behind a guess is
 * right if the guess was. */
#ifndef SPECULATIVE_DECODING_DRAFT_H
#define SPECULATIVE_DECODING_DRAFT_H

#include "several.h"

enum { DRAFT_LAYERS = 1 };

/* `draft` goes one token at a time. s: of all layers, behind the tokens that are certain. */
struct decoder {
    struct several draft, model;
    int32_t *s;
};

static inline size_t decoder_bytes(const int64_t *param)
{
    return 2 * several_bytes(param) + (size_t)(param[LAYERS] * param[DIM]) * sizeof(int32_t);
}

static inline void decoder_open(struct decoder *d, const struct aisp_call *call)
{
    void *more = several_open(&d->draft, call, call->workspace);

    d->s = several_open(&d->model, call, more);
    memcpy(d->s, call->tensor[STATE], (size_t)(call->param[LAYERS] * call->param[DIM]) * sizeof *d->s);
}

static inline int64_t drafted_layers(const struct decoder *d)
{
    const int64_t layers = d->model.call->param[LAYERS];

    return layers < DRAFT_LAYERS ? layers : DRAFT_LAYERS;
}

/* How many of what the model said (out) are certain: the first, and one more for each guess (in[1] ...) that it confirms. */
static inline int64_t certain(const int32_t *in, const int32_t *out, int64_t n)
{
    int64_t m = 1;

    while (m < n && in[m] == out[m - 1])
        m++;
    return m;
}

/* s is what it was behind token m - 1 of those that were verified. */
static inline void go_on_behind(struct decoder *d, int64_t m)
{
    const int64_t cells = d->model.call->param[LAYERS] * d->model.call->param[DIM];

    memcpy(d->s, d->model.s + (m - 1) * cells, (size_t)cells * sizeof *d->s);
}

#endif
