/* step.h - one training step, which asks somebody for memory. All variants share it, so that they differ in that somebody
 * alone.
 * Forward, a layer makes z, a and the next h, and gives z back at once; h and a stay for the way back, which makes a
 * gradient of z and one of h for each layer and gives all back: the last made the first.
 * Eight lanes by the compiler's vectors, on any machine. */
#ifndef CACHING_ALLOCATOR_STEP_H
#define CACHING_ALLOCATOR_STEP_H

#include <math.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, MOST_LAYERS = 64 };

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t signs __attribute__((vector_size(4 * LANES)));

/* Whom a step asks. get may return NULL; put is told the size that was asked for. */
struct memory {
    void *(*get)(struct memory *, size_t bytes);
    void (*put)(struct memory *, void *block, size_t bytes);
};

struct layer {
    const float *w, *b;
    int64_t rows, width;
};

static inline void layer_affine(const struct layer *l, const float *h, float *z)
{
    for (int64_t i = 0; i < l->rows; i++, h += l->width, z += l->width) {
        int64_t j = 0;

        for (; j + LANES <= l->width; j += LANES)
            *(lanes *)(z + j) = *(const lanes *)(l->w + j) * *(const lanes *)(h + j) + *(const lanes *)(l->b + j);
        for (; j < l->width; j++)
            z[j] = l->w[j] * h[j] + l->b[j];
    }
}

/* a = z / (1 + |z|), next = h + a */
static inline void layer_activate(const struct layer *l, const float *z, const float *h, float *a, float *next)
{
    const int64_t n = l->rows * l->width;
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        const lanes y = *(const lanes *)(z + i), size = (lanes)((signs)y & 0x7fffffff), s = y / (1.0f + size);

        *(lanes *)(a + i) = s;
        *(lanes *)(next + i) = *(const lanes *)(h + i) + s;
    }
    for (; i < n; i++) {
        a[i] = z[i] / (1 + fabsf(z[i]));
        next[i] = h[i] + a[i];
    }
}

/* gz = g (1 - |a|)^2, the slope of the activation */
static inline void layer_slope(const struct layer *l, const float *g, const float *a, float *gz)
{
    const int64_t n = l->rows * l->width;
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES) {
        const lanes one = 1.0f - (lanes)((signs) * (const lanes *)(a + i) & 0x7fffffff);

        *(lanes *)(gz + i) = *(const lanes *)(g + i) * one * one;
    }
    for (; i < n; i++)
        gz[i] = g[i] * (1 - fabsf(a[i])) * (1 - fabsf(a[i]));
}

/* dw = sum over rows of gz h, before = g + gz w */
static inline void layer_back(const struct layer *l, const float *g, const float *gz, const float *h, float *before, float *dw)
{
    memset(dw, 0, (size_t)l->width * sizeof *dw);
    for (int64_t i = 0; i < l->rows; i++) {
        const int64_t at = i * l->width;
        int64_t j = 0;

        for (; j + LANES <= l->width; j += LANES) {
            const lanes d = *(const lanes *)(gz + at + j);

            *(lanes *)(dw + j) += d * *(const lanes *)(h + at + j);
            *(lanes *)(before + at + j) = *(const lanes *)(g + at + j) + d * *(const lanes *)(l->w + j);
        }
        for (; j < l->width; j++) {
            dw[j] += gz[at + j] * h[at + j];
            before[at + j] = g[at + j] + gz[at + j] * l->w[j];
        }
    }
}

/* What a step holds; NULL: not there. h[0] is the input, g[layers] the given gradient: they are not ours. */
struct held {
    float *z, *gz, *a[MOST_LAYERS], *h[MOST_LAYERS + 1], *g[MOST_LAYERS + 1];
};

static inline void drop(struct memory *m, float **block, size_t bytes)
{
    if (*block)
        m->put(m, *block, bytes);
    *block = NULL;
}

static inline struct layer layer_of(const struct aisp_call *call, int64_t rows, int64_t l)
{
    const int64_t width = call->param[WIDTH];

    return (struct layer){ (const float *)call->tensor[WEIGHT] + l * width, (const float *)call->tensor[BIAS] + l * width, rows,
                           width };
}

static inline enum aisp_status step_forward(const struct aisp_call *call, struct memory *m, int64_t rows, struct held *t)
{
    const size_t bytes = (size_t)(rows * call->param[WIDTH]) * sizeof(float);

    for (int64_t i = 0; i < call->param[LAYERS]; i++) {
        const struct layer l = layer_of(call, rows, i);

        if (!(t->z = m->get(m, bytes)))
            return AISP_E_NO_MEMORY;
        layer_affine(&l, t->h[i], t->z);
        if (!(t->a[i] = m->get(m, bytes)) || !(t->h[i + 1] = m->get(m, bytes)))
            return AISP_E_NO_MEMORY;
        layer_activate(&l, t->z, t->h[i], t->a[i], t->h[i + 1]);
        drop(m, &t->z, bytes);
    }
    return AISP_OK;
}

static inline enum aisp_status step_backward(const struct aisp_call *call, struct memory *m, int64_t rows, struct held *t,
                                             float *dw)
{
    const int64_t layers = call->param[LAYERS], width = call->param[WIDTH];
    const size_t bytes = (size_t)(rows * width) * sizeof(float);

    for (int64_t i = layers - 1; i >= 0; i--) {
        const struct layer l = layer_of(call, rows, i);

        drop(m, &t->h[i + 1], bytes);
        if (!(t->gz = m->get(m, bytes)))
            return AISP_E_NO_MEMORY;
        layer_slope(&l, t->g[i + 1], t->a[i], t->gz);
        drop(m, &t->a[i], bytes);
        if (!(t->g[i] = m->get(m, bytes)))
            return AISP_E_NO_MEMORY;
        layer_back(&l, t->g[i + 1], t->gz, t->h[i], t->g[i], dw + i * width);
        drop(m, &t->gz, bytes);
        if (i + 1 < layers)
            drop(m, &t->g[i + 1], bytes);
    }
    return AISP_OK;
}

/* All steps. Whatever happens, all memory has been given back. */
static inline enum aisp_status run_steps(const struct aisp_call *call, struct memory *m)
{
    const int64_t layers = call->param[LAYERS], width = call->param[WIDTH], most = call->param[MOST];
    const int32_t *length = call->tensor[LENGTH];
    enum aisp_status st = layers <= MOST_LAYERS ? AISP_OK : AISP_E_UNAVAILABLE;

    for (int64_t s = 0; !st && s < call->param[STEPS]; s++) {
        const int64_t rows = length[s] < most ? length[s] : most;
        const size_t bytes = (size_t)(rows * width) * sizeof(float);
        struct held t = { 0 };

        t.h[0] = (float *)call->tensor[X] + s * most * width;
        t.g[layers] = (float *)call->tensor[GRAD] + s * most * width;
        st = step_forward(call, m, rows, &t);
        if (!st)
            st = step_backward(call, m, rows, &t, (float *)call->tensor[DW] + s * layers * width);
        t.h[0] = t.g[layers] = NULL;
        drop(m, &t.z, bytes);
        drop(m, &t.gz, bytes);
        for (int64_t i = 0; i <= layers; i++) {
            drop(m, &t.h[i], bytes);
            drop(m, &t.g[i], bytes);
            if (i < layers)
                drop(m, &t.a[i], bytes);
        }
    }
    return st;
}

#endif
