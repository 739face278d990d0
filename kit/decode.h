/* decode.h - one query against some keys and values, with a maximum and a sum that correct themselves: AVX2 with FMA, any
 * number of keys up to MOST_KEYS, any dim, and rows any distance apart. Also the same in plain C.
 * Not here: which keys when, and for whom: that is what the rungs differ in. */
#ifndef AISP_KIT_DECODE_H
#define AISP_KIT_DECODE_H

#include <math.h>
#include <stdint.h>

#include "kit/exp8.h"

enum { MOST_KEYS = 128 };

/* A query and what it has summed so far; the output is o / sum. */
struct part {
    const float *q;
    float *o;
    int64_t dim, apart; /* from key to key, and from value to value */
    float scale, max, sum;
};

static inline void part_begin(struct part *w)
{
    w->max = -INFINITY;
    w->sum = 0;
    for (int64_t d = 0; d < w->dim; d++)
        w->o[d] = 0;
}

static inline void part_end(struct part *w)
{
    for (int64_t d = 0; d < w->dim; d++)
        w->o[d] /= w->sum;
}

/* What was summed follows a maximum that rises. */
static inline void part_raise(struct part *w, float top)
{
    const float factor = expf(w->max - top);

    w->sum *= factor;
    for (int64_t d = 0; d < w->dim; d++)
        w->o[d] *= factor;
    w->max = top;
}

static inline void part_take_portable(struct part *w, const float *restrict k, const float *restrict v, int64_t n)
{
    float *restrict o = w->o;
    float s[MOST_KEYS], top = w->max;

    for (int64_t j = 0; j < n; j++) {
        float dot[4] = { 0 };

        for (int64_t d = 0; d < w->dim; d++)
            dot[d & 3] += w->q[d] * k[j * w->apart + d];
        s[j] = ((dot[0] + dot[1]) + (dot[2] + dot[3])) * w->scale;
        top = s[j] > top ? s[j] : top;
    }
    if (top > w->max)
        part_raise(w, top);
    for (int64_t j = 0; j < n; j++) {
        s[j] = expf(s[j] - top);
        w->sum += s[j];
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t d = 0; d < w->dim; d++)
            o[d] += s[j] * v[j * w->apart + d];
}

/* The sums over the lanes of four vectors. */
AVX2 __m128 lanes_sum4(__m256 a, __m256 b, __m256 c, __m256 d)
{
    const __m256 s = _mm256_hadd_ps(_mm256_hadd_ps(a, b), _mm256_hadd_ps(c, d));

    return _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
}

/* Scores of n keys, four at a time; in front of the last few lies none that counts twice, they go one by one. */
AVX2 void scores_avx2(const struct part *w, const float *k, int64_t n, float *s)
{
    const int64_t dim = w->dim, whole = dim / LANES * LANES;
    int64_t j = 0;

    for (; j < n; j += j + 4 <= n ? 4 : 1) {
        const int64_t step = j + 4 <= n ? w->apart : 0; /* 0: the same key four times, of which one counts */
        const float *at = k + j * w->apart;
        __m256 a = _mm256_setzero_ps(), b = a, c = a, e = a;
        float sum[4];

        for (int64_t d = 0; d < whole; d += LANES) {
            const __m256 q = _mm256_loadu_ps(w->q + d);

            a = _mm256_fmadd_ps(q, _mm256_loadu_ps(at + d), a);
            b = _mm256_fmadd_ps(q, _mm256_loadu_ps(at + step + d), b);
            c = _mm256_fmadd_ps(q, _mm256_loadu_ps(at + 2 * step + d), c);
            e = _mm256_fmadd_ps(q, _mm256_loadu_ps(at + 3 * step + d), e);
        }
        _mm_storeu_ps(sum, lanes_sum4(a, b, c, e));
        for (int i = 0; i < 4 && i <= (step ? 3 : 0); i++) {
            for (int64_t d = whole; d < dim; d++)
                sum[i] += w->q[d] * at[i * step + d];
            s[j + i] = sum[i] * w->scale;
        }
    }
}

/* Scores become exponentials, up to a whole vector: s has room for that. */
AVX2 void exponentials_avx2(struct part *w, float *s, int64_t n)
{
    __m256 most = _mm256_set1_ps(w->max), sum = _mm256_setzero_ps();
    float top;

    for (int64_t j = n; j % LANES; j++)
        s[j] = -INFINITY;
    for (int64_t j = 0; j < n; j += LANES)
        most = _mm256_max_ps(most, _mm256_loadu_ps(s + j));
    top = lanes_max(most);
    if (top > w->max)
        part_raise(w, top);
    for (int64_t j = 0; j < n; j += LANES) {
        const __m256 e = exp8(_mm256_sub_ps(_mm256_loadu_ps(s + j), _mm256_set1_ps(top)));

        sum = _mm256_add_ps(sum, e);
        _mm256_storeu_ps(s + j, e);
    }
    w->sum += lanes_sum(sum);
}

/* `vectors` vectors of columns from column d on; a constant, so that the sums are registers. */
AVX2 int64_t columns_avx2(struct part *w, const float *s, const float *v, int64_t n, int64_t d, int vectors)
{
    __m256 a[8];

    for (int p = 0; p < vectors; p++)
        a[p] = _mm256_loadu_ps(w->o + d + p * LANES);
    for (int64_t j = 0; j < n; j++) {
        const __m256 e = _mm256_broadcast_ss(s + j);

        for (int p = 0; p < vectors; p++)
            a[p] = _mm256_fmadd_ps(e, _mm256_loadu_ps(v + j * w->apart + d + p * LANES), a[p]);
    }
    for (int p = 0; p < vectors; p++)
        _mm256_storeu_ps(w->o + d + p * LANES, a[p]);
    return d + vectors * LANES;
}

AVX2 void values_avx2(struct part *w, const float *s, const float *v, int64_t n)
{
    int64_t d = 0;

    while (d + 8 * LANES <= w->dim)
        d = columns_avx2(w, s, v, n, d, 8);
    if (d + 4 * LANES <= w->dim)
        d = columns_avx2(w, s, v, n, d, 4);
    if (d + 2 * LANES <= w->dim)
        d = columns_avx2(w, s, v, n, d, 2);
    if (d + LANES <= w->dim)
        d = columns_avx2(w, s, v, n, d, 1);
    for (; d < w->dim; d++)
        for (int64_t j = 0; j < n; j++)
            w->o[d] += s[j] * v[j * w->apart + d];
}

__attribute__((target("avx2,fma"))) static inline void part_take_avx2(struct part *w, const float *k, const float *v, int64_t n)
{
    float s[MOST_KEYS + LANES];

    scores_avx2(w, k, n, s);
    exponentials_avx2(w, s, n);
    values_avx2(w, s, v, n);
}

/* n <= MOST_KEYS more keys and values. */
static inline void part_take(struct part *w, const float *k, const float *v, int64_t n, int fast)
{
    if (fast)
        part_take_avx2(w, k, v, n);
    else
        part_take_portable(w, k, v, n);
}

static inline int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#endif
