/* coefficients.h - the numbers that all rungs share, and the exponential without branches in plain C. exp(x) = 2^n exp(r), n
 * = x / ln 2 rounded, r = x - n ln 2 in two steps, so that |r| <= ln(2) / 2 and the product of n with the upper part of ln 2
 * is exact. exp(r) = 1 + r + r^2 q(r), q of degree 4 fitted for the smallest largest relative error, 0.05 u. 2^n comes in two
 * factors, for n reaches from -150 to 128 and no exponent field does. Arguments are first held where results are 0 or
 * infinite beyond doubt. At most 1.01 ulp, with fused operations and without: of one in seven of all arguments, compared. */
#ifndef FAST_EXP_COEFFICIENTS_H
#define FAST_EXP_COEFFICIENTS_H

#include <stdint.h>
#include <string.h>

#define LOWEST -104.0f
#define HIGHEST 89.0f
#define LOG2E 0x1.715476p+0f
#define LN2_HIGH 0x1.62e4p-1f
#define LN2_LOW 0x1.7f7d1cp-20f
#define Q4 0x1.6a23d0p-10f
#define Q3 0x1.123a22p-7f
#define Q2 0x1.5558f2p-5f
#define Q1 0x1.555492p-3f
#define Q0 0x1.fffffcp-2f
#define ROUNDER 0x1.8p23f /* added, it rounds to a whole number, which then lies in the last bits */

static inline float power_of_2(uint32_t n)
{
    const uint32_t bits = (n + 127) << 23;
    float power;

    memcpy(&power, &bits, sizeof power);
    return power;
}

static inline float held_above(float x)
{
    return x < LOWEST ? LOWEST : x; /* NaN is not below, and all that is computed with it is NaN */
}

static inline float held_below(float x)
{
    return x > HIGHEST ? HIGHEST : x;
}

/* For LOWEST <= x <= HIGHEST. */
static inline float exp_within(float x)
{
    const float shifted = x * LOG2E + ROUNDER, n = shifted - ROUNDER;
    const float r = x - n * LN2_HIGH - n * LN2_LOW;
    const float q = (((Q4 * r + Q3) * r + Q2) * r + Q1) * r + Q0;
    uint32_t whole, half;

    memcpy(&whole, &shifted, sizeof whole);
    whole -= 0x4b400000; /* the bits of ROUNDER */
    half = (uint32_t)((int32_t)whole >> 1);
    return (1 + (r * r * q + r)) * power_of_2(half) * power_of_2(whole - half);
}

static inline float exp_plain(float x)
{
    return exp_within(held_below(held_above(x)));
}

/* Three loops, because compilers make branches of two limits and what is computed from them, but lanes of each alone. */
static inline void exp_portable(const float *x, float *y, int64_t n)
{
    enum { BLOCK = 512 };

    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t end = at + BLOCK < n ? at + BLOCK : n;

        for (int64_t i = at; i < end; i++)
            y[i] = held_above(x[i]);
        for (int64_t i = at; i < end; i++)
            y[i] = held_below(y[i]);
        for (int64_t i = at; i < end; i++)
            y[i] = exp_within(y[i]);
    }
}

#endif
