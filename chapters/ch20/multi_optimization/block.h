/* block.h - the block as three operations and what lies between them, which all variants share; and the operations as they
 * are written first. A variant says which of the three it has replaced.
 * Not here: the replacements (fast.h). */
#ifndef MULTI_OPTIMIZATION_BLOCK_H
#define MULTI_OPTIMIZATION_BLOCK_H

#include <math.h>
#include <stddef.h>

#include <aisp/variant.h>

#include "problem.h"

struct attention {
    const float *qkv; /* (seq, 3 width): q, k, v of all heads side by side */
    float *o;         /* (seq, width) */
    float *p;         /* room for seq weights */
    int64_t seq, heads, dim;
};

struct operations {
    void (*multiply)(const float *x, const float *w, float *y, int64_t m, int64_t k, int64_t n); /* y = x w */
    void (*attend)(const struct attention *a);
    void (*activate)(float *u, int64_t n);
};

static inline void multiply_plain(const float *restrict x, const float *restrict w, float *restrict y, int64_t m, int64_t k,
                                  int64_t n)
{
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            y[i * n + j] = 0;
        for (int64_t p = 0; p < k; p++)
            for (int64_t j = 0; j < n; j++)
                y[i * n + j] += x[i * k + p] * w[p * n + j];
    }
}

/* Query i of head h: all scores, their maximum, the exponentials, the weighted mean. */
static inline void attend_query(const struct attention *a, int64_t h, int64_t i)
{
    const int64_t dim = a->dim, width = a->heads * dim, row = 3 * width;
    const float *q = a->qkv + i * row + h * dim, *k = a->qkv + width + h * dim, *v = k + width;
    const float scale = 1 / sqrtf((float)dim);
    float *o = a->o + i * width + h * dim, max = -INFINITY, sum = 0;

    for (int64_t j = 0; j <= i; j++) {
        float dot = 0;

        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * k[j * row + d];
        a->p[j] = dot * scale;
        max = a->p[j] > max ? a->p[j] : max;
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = 0; j <= i; j++) {
        const float e = expf(a->p[j] - max);

        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * v[j * row + d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

static inline void attend_plain(const struct attention *a)
{
    for (int64_t h = 0; h < a->heads; h++)
        for (int64_t i = 0; i < a->seq; i++)
            attend_query(a, h, i);
}

static inline void activate_plain(float *u, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        u[i] *= 0.5f * (1 + tanhf((float)GELU_SCALE * (u[i] + (float)GELU_CUBIC * u[i] * u[i] * u[i])));
}

static inline void normalise(const float *x, const float *g, float *y, int64_t rows, int64_t width)
{
    for (int64_t r = 0; r < rows; r++, x += width, y += width) {
        float square = 0, factor;

        for (int64_t i = 0; i < width; i++)
            square += x[i] * x[i];
        factor = 1 / sqrtf(square / (float)width + (float)NORM_EPSILON);
        for (int64_t i = 0; i < width; i++)
            y[i] = x[i] * factor * g[i];
    }
}

static inline void add(const float *a, const float *b, float *sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
}

/* h and t of a row of width, qkv of three, u of hidden, p of a weight for each row. */
static inline size_t block_workspace(const int64_t *param)
{
    const int64_t width = param[HEADS] * param[DIM];

    return (size_t)(param[SEQ] * (5 * width + param[HIDDEN] + 1)) * sizeof(float);
}

static inline enum aisp_status run_block(const struct aisp_call *call, const struct operations *do_)
{
    const int64_t seq = call->param[SEQ], heads = call->param[HEADS], dim = call->param[DIM], hidden = call->param[HIDDEN];
    const int64_t width = heads * dim;
    float *h = call->workspace, *t = h + seq * width, *qkv = t + seq * width, *u = qkv + 3 * seq * width, *y = call->tensor[Y];
    const struct attention a = { qkv, h, u + seq * hidden, seq, heads, dim };

    normalise(call->tensor[X], call->tensor[NORM1], h, seq, width);
    do_->multiply(h, call->tensor[W_QKV], qkv, seq, width, 3 * width);
    do_->attend(&a);
    do_->multiply(h, call->tensor[W_OUT], t, seq, width, width);
    add(call->tensor[X], t, y, seq * width);
    normalise(y, call->tensor[NORM2], h, seq, width);
    do_->multiply(h, call->tensor[W_UP], u, seq, width, hidden);
    do_->activate(u, seq * hidden);
    do_->multiply(u, call->tensor[W_DOWN], t, seq, hidden, width);
    add(y, t, y, seq * width);
    return AISP_OK;
}

#endif
