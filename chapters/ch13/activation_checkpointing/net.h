/* net.h - the layers of the network, forward and back, for some rows of the batch; and the step that keeps everything.
 * Not here: what is kept and what is made again: that is what the rungs differ in.
 * y and dx are used while they become what they are: y as the h at hand, dx as the gradient at hand. They are the harness's
 * and there in any case. All rungs compute each number in the same way, so that their answers are the same bits.
 * Eight lanes by the compiler's vectors, on any machine. */
#ifndef ACTIVATION_CHECKPOINTING_NET_H
#define ACTIVATION_CHECKPOINTING_NET_H

#include <math.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8 };

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* A call's rows [first, first + rows). row: room for two rows of numbers that nobody keeps. */
struct net {
    const float *x, *grad, *w;
    float *y, *dx, *dw, *row;
    int64_t layers, rows, width;
};

static inline struct net net_of(const struct aisp_call *call, int64_t first, int64_t rows, float *row)
{
    const int64_t at = first * call->param[WIDTH];

    return (struct net){
        .x = (const float *)call->tensor[X] + at,
        .grad = (const float *)call->tensor[GRAD] + at,
        .w = call->tensor[W],
        .y = (float *)call->tensor[Y] + at,
        .dx = (float *)call->tensor[DX] + at,
        .dw = call->tensor[DW],
        .row = row,
        .layers = call->param[LAYERS],
        .rows = rows,
        .width = call->param[WIDTH],
    };
}

/* Numbers of one h of all rows. */
static inline int64_t net_numbers(const struct net *n)
{
    return n->rows * n->width;
}

static inline void net_copy(const struct net *n, float *to, const float *from)
{
    memcpy(to, from, (size_t)net_numbers(n) * sizeof *to);
}

/* y += f x */
static inline void add_times(float *restrict y, float f, const float *restrict x, int64_t n)
{
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES)
        *(lanes *)(y + i) += f * *(const lanes *)(x + i);
    for (; i < n; i++)
        y[i] += f * x[i];
}

static inline float dot(const float *x, const float *y, int64_t n)
{
    lanes sums = { 0 };
    float sum = 0;
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES)
        sums += *(const lanes *)(x + i) * *(const lanes *)(y + i);
    for (int j = 0; j < LANES; j++)
        sum += sums[j];
    for (; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* a of one row in one layer. */
static inline void activate(const struct net *n, int64_t layer, const float *h, float *a)
{
    const float *w = n->w + layer * n->width * n->width;

    memset(a, 0, (size_t)n->width * sizeof *a);
    for (int64_t k = 0; k < n->width; k++)
        add_times(a, h[k], w + k * n->width, n->width);
    for (int64_t o = 0; o < n->width; o++)
        a[o] /= 1 + fabsf(a[o]);
}

/* next = h + a, next may be h. a: where it is kept, or NULL. */
static inline void net_forward(const struct net *n, int64_t layer, const float *h, float *a, float *next)
{
    for (int64_t at = 0; at < net_numbers(n); at += n->width) {
        float *to = a ? a + at : n->row;

        activate(n, layer, h + at, to);
        for (int64_t o = 0; o < n->width; o++)
            next[at + o] = h[at + o] + to[o];
    }
}

/* dx, the gradient behind the layer, becomes the one before it; dw gets its share. a: NULL where it was not kept. */
static inline void net_backward(const struct net *n, int64_t layer, const float *h, const float *a)
{
    const int64_t width = n->width;
    const float *w = n->w + layer * width * width;
    float *dw = n->dw + layer * width * width, *dz = n->row + width;

    for (int64_t at = 0; at < net_numbers(n); at += width) {
        const float *slope = a ? a + at : n->row;
        float *g = n->dx + at;

        if (!a)
            activate(n, layer, h + at, n->row);
        for (int64_t o = 0; o < width; o++)
            dz[o] = g[o] * (1 - fabsf(slope[o])) * (1 - fabsf(slope[o]));
        for (int64_t k = 0; k < width; k++) {
            add_times(dw + k * width, h[at + k], dz, width);
            g[k] += dot(w + k * width, dz, width);
        }
    }
}

static inline void net_clear(const struct net *n)
{
    memset(n->dw, 0, (size_t)(n->layers * n->width * n->width) * sizeof *n->dw);
}

/* ---- h and a of layers [first, end) are kept ---- */

/* Numbers that net_keep needs of one row for so many layers. */
static inline int64_t kept_of(int64_t layers, int64_t width)
{
    return (2 * layers - 1) * width;
}

/* From h before layer `first`; last: where h behind the last goes, or NULL. */
static inline void net_keep(const struct net *n, int64_t first, int64_t end, const float *h, float *kept, float *last)
{
    float *a = kept + (end - first - 1) * net_numbers(n);

    for (int64_t l = first; l < end; l++, a += net_numbers(n)) {
        float *next = l + 1 < end ? kept + (l - first) * net_numbers(n) : last ? last : NULL;

        if (!next) { /* of the last layer only a is wanted */
            for (int64_t at = 0; at < net_numbers(n); at += n->width)
                activate(n, l, h + at, a + at);
            break;
        }
        net_forward(n, l, h, a, next);
        h = next;
    }
}

/* The way back over what net_keep kept. */
static inline void net_return(const struct net *n, int64_t first, int64_t end, const float *h, const float *kept)
{
    const float *a = kept + (end - first - 1) * net_numbers(n);

    for (int64_t l = end - 1; l >= first; l--)
        net_backward(n, l, l > first ? kept + (l - first - 1) * net_numbers(n) : h, a + (l - first) * net_numbers(n));
}

/* A whole step that keeps all. */
static inline void net_step(const struct net *n, float *kept)
{
    net_keep(n, 0, n->layers, n->x, kept, n->y);
    net_copy(n, n->dx, n->grad);
    net_return(n, 0, n->layers, n->x, kept);
}

#endif
