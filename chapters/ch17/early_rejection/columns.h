/* columns.h - the matrices turned, and prefill and decode that multiply with them column by column. */
#ifndef EARLY_REJECTION_COLUMNS_H
#define EARLY_REJECTION_COLUMNS_H

#include "kit/decode.h"
#include "model.h"

enum { MATRICES = 3 };

/* state: the three matrices, column j of one after column j - 1, each padded to whole vectors. */
static inline int64_t padded(int64_t dim)
{
    return (dim + LANES - 1) / LANES * LANES;
}

static enum aisp_status columns_setup(const struct aisp_setup *s)
{
    const int64_t dim = s->param[DIM], apart = padded(dim);
    float *to = calloc((size_t)(MATRICES * dim * apart), sizeof *to);

    if (!to)
        return AISP_E_NO_MEMORY;
    for (int64_t m = 0; m < MATRICES; m++)
        for (int64_t i = 0; i < dim * dim; i++)
            to[(m * dim + i % dim) * apart + i / dim] = ((const float *)s->weight[1 + m])[i];
    *s->state = to;
    return AISP_OK;
}

static void columns_teardown(void *state)
{
    free(state);
}

/* y = W x; of y only dim numbers are written. */
__attribute__((target("avx2,fma"))) static void multiply_columns(const float *w, const float *x, float *y, int64_t dim)
{
    const int64_t apart = padded(dim);

    for (int64_t i = 0; i < dim; i += LANES) {
        __m256 even = _mm256_setzero_ps(), odd = even;
        float last[LANES];
        int64_t j = 0;

        for (; j + 2 <= dim; j += 2) {
            even = _mm256_fmadd_ps(_mm256_loadu_ps(w + j * apart + i), _mm256_broadcast_ss(x + j), even);
            odd = _mm256_fmadd_ps(_mm256_loadu_ps(w + (j + 1) * apart + i), _mm256_broadcast_ss(x + j + 1), odd);
        }
        if (j < dim)
            even = _mm256_fmadd_ps(_mm256_loadu_ps(w + j * apart + i), _mm256_broadcast_ss(x + j), even);
        even = _mm256_add_ps(even, odd);
        if (i + LANES <= dim)
            _mm256_storeu_ps(y + i, even);
        else {
            _mm256_storeu_ps(last, even);
            memcpy(y + i, last, (size_t)(dim - i) * sizeof *y);
        }
    }
}

static inline void remember_columns(struct server *s, const float *x, int64_t t)
{
    const int64_t dim = s->call->param[DIM], matrix = dim * padded(dim);
    const float *w = s->call->state;

    multiply_columns(w + matrix, x, s->k + t * dim, dim);
    multiply_columns(w + 2 * matrix, x, s->v + t * dim, dim);
}

static inline void serve_columns(struct server *s, int64_t request, void (*attention)(struct server *s, float *o, int64_t n))
{
    const int64_t dim = s->call->param[DIM], prompt = prompt_of(s->call->tensor[TRACE], s->call->param, request);
    const int64_t end = prompt + answer_of(s->call->tensor[TRACE], s->call->param, request);
    float *h = answer_row(s, request);

    for (int64_t t = 0; t < prompt; t++)
        remember_columns(s, state_of(s, request, t), t);
    memcpy(h, state_of(s, request, prompt - 1), (size_t)dim * sizeof *h);
    for (int64_t t = prompt; t < end; t++) {
        multiply_columns(s->call->state, h, s->q, dim);
        for (int64_t d = 0; d < dim; d++)
            h[d] /= 2;
        attention(s, h, t);
        squash(h, dim);
        if (t + 1 < end)
            remember_columns(s, h, t);
    }
}

#endif
