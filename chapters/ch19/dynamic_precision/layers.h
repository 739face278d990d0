/* layers.h - a layer in each of three precisions, for AVX2 with FMA and in plain C.
 * Short weights are whole numbers with an f32 scale for each row (16 bits) or for each 32 columns of a row (8 bits); rows are
 * padded with zeros to whole groups, and so is f(h), so that no short form has a tail. */
#ifndef DYNAMIC_PRECISION_LAYERS_H
#define DYNAMIC_PRECISION_LAYERS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/variant.h>

#include "kit/lanes.h"
#include "problem.h"

enum { LANES = 8, GROUP = 32 };

/* The short copies, made when the weights are loaded. */
struct copies {
    int64_t padded; /* columns */
    float *scale16, *scale8;
    int16_t *w16;
    int8_t *w8;
    int fast;
};

static inline int64_t padded(int64_t width)
{
    return (width + GROUP - 1) / GROUP * GROUP;
}

/* f(h), and zeros behind it. */
static inline void squash(const float *h, float *f, int64_t width)
{
    for (int64_t i = 0; i < width; i++)
        f[i] = h[i] / (1 + fabsf(h[i]));
    memset(f + width, 0, (size_t)(padded(width) - width) * sizeof *f);
}

/* ---- f32 ---- */

__attribute__((target("avx2,fma"))) static inline float row32_avx2(const float *w, const float *f, int64_t n)
{
    __m256 s[4];
    int64_t j = 0;
    float tail = 0;

    for (int k = 0; k < 4; k++)
        s[k] = _mm256_setzero_ps();
    for (; j + 4 * LANES <= n; j += 4 * LANES)
        for (int k = 0; k < 4; k++)
            s[k] = _mm256_fmadd_ps(_mm256_loadu_ps(w + j + k * LANES), _mm256_loadu_ps(f + j + k * LANES), s[k]);
    for (; j < n; j++)
        tail += w[j] * f[j];
    return lanes_sum(_mm256_add_ps(_mm256_add_ps(s[0], s[1]), _mm256_add_ps(s[2], s[3]))) + tail;
}

static inline float row32_portable(const float *w, const float *f, int64_t n)
{
    float s[4] = { 0 };
    int64_t j = 0;

    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; k++)
            s[k] += w[j + k] * f[j + k];
    for (; j < n; j++)
        s[0] += w[j] * f[j];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static inline void layer32(const float *w, float gain, const float *f, float *h, int64_t width, int fast)
{
    for (int64_t i = 0; i < width; i++, w += width)
        h[i] += gain * (fast ? row32_avx2(w, f, width) : row32_portable(w, f, width));
}

/* ---- 16 bits ---- */

AVX2 __m256 wide16(const int16_t *w)
{
    return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)w)));
}

__attribute__((target("avx2,fma"))) static inline float row16_avx2(const int16_t *w, const float *f, int64_t n)
{
    __m256 s[4];

    for (int k = 0; k < 4; k++)
        s[k] = _mm256_setzero_ps();
    for (int64_t j = 0; j < n; j += GROUP)
        for (int k = 0; k < 4; k++)
            s[k] = _mm256_fmadd_ps(wide16(w + j + k * LANES), _mm256_loadu_ps(f + j + k * LANES), s[k]);
    return lanes_sum(_mm256_add_ps(_mm256_add_ps(s[0], s[1]), _mm256_add_ps(s[2], s[3])));
}

static inline float row16_portable(const int16_t *w, const float *f, int64_t n)
{
    float s[4] = { 0 };

    for (int64_t j = 0; j < n; j += 4)
        for (int k = 0; k < 4; k++)
            s[k] += (float)w[j + k] * f[j + k];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static inline void layer16(const struct copies *c, int64_t l, float gain, const float *f, float *h, int64_t width)
{
    const int16_t *w = c->w16 + l * width * c->padded;
    const float *scale = c->scale16 + l * width;

    for (int64_t i = 0; i < width; i++, w += c->padded)
        h[i] += gain * scale[i] * (c->fast ? row16_avx2(w, f, c->padded) : row16_portable(w, f, c->padded));
}

/* ---- 8 bits ---- */

/* |f(h)| is below 1, so f(h) is a 16-bit whole number of 2^-14, which is exact enough for weights of 8 bits; then 16
 * products are one instruction, and 32 of them stay below 2^27. */
enum { ONE = 1 << 14 };

static inline void squash_short(const float *f, int16_t *to, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        to[j] = (int16_t)(f[j] * ONE + (f[j] < 0 ? -0.5f : 0.5f));
}

AVX2 __m256i products8(const int8_t *w, const int16_t *f)
{
    const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)w));

    return _mm256_madd_epi16(wide, _mm256_loadu_si256((const __m256i *)f));
}

__attribute__((target("avx2,fma"))) static inline float row8_avx2(const int8_t *w, const float *scale, const int16_t *f,
                                                              int64_t n)
{
    __m256 s = _mm256_setzero_ps();

    for (int64_t j = 0; j < n; j += GROUP) {
        const __m256i sum = _mm256_add_epi32(products8(w + j, f + j), products8(w + j + GROUP / 2, f + j + GROUP / 2));

        s = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), _mm256_broadcast_ss(scale + j / GROUP), s);
    }
    return lanes_sum(s);
}

static inline float row8_portable(const int8_t *w, const float *scale, const int16_t *f, int64_t n)
{
    float sum = 0;

    for (int64_t j = 0; j < n; j += GROUP) {
        int32_t group = 0;

        for (int64_t i = 0; i < GROUP; i++)
            group += w[j + i] * f[j + i];
        sum += scale[j / GROUP] * (float)group;
    }
    return sum;
}

static inline void layer8(const struct copies *c, int64_t l, float gain, const int16_t *f, float *h, int64_t width)
{
    const int8_t *w = c->w8 + l * width * c->padded;
    const float *scale = c->scale8 + l * width * c->padded / GROUP;

    for (int64_t i = 0; i < width; i++, w += c->padded, scale += c->padded / GROUP)
        h[i] += gain / ONE * (c->fast ? row8_avx2(w, scale, f, c->padded) : row8_portable(w, scale, f, c->padded));
}

static inline int has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

#endif
