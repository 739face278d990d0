/* number.c - conversions between double and the small floating types, by their bits. Elements are
 * aligned as their type.
 * Not here: speed for f32 (fill_avx2.c, compare_avx2.c). */
#include "core/judge/number.h"

#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/instance.h"

/* Largest code of a finite number, and the codes that stand for overflow, Inf and NaN. */
struct format {
    int mantissa, bias, bits;
    uint32_t max, over, inf, nan;
};

static const struct format formats[] = {
    [AISP_F16] = { 10, 15, 16, 0x7bff, 0x7c00, 0x7c00, 0x7e00 },
    [AISP_BF16] = { 7, 127, 16, 0x7f7f, 0x7f80, 0x7f80, 0x7fc0 },
    [AISP_F8E4M3] = { 3, 7, 8, 0x7e, 0x7e, 0x7f, 0x7f },
    [AISP_F8E5M2] = { 2, 15, 8, 0x7b, 0x7c, 0x7c, 0x7e },
};

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^e for a normal double. */
static double power(int e)
{
    return double_of((uint64_t)(e + 1023) << 52);
}

static inline __attribute__((always_inline)) uint32_t encode(const struct format *f, double x)
{
    const uint64_t bits = bits_of(x), size = bits & ~(UINT64_C(1) << 63);
    const uint32_t sign = (uint32_t)(bits >> 63) << (f->bits - 1);
    const int least = 1 - f->bias, shift = 52 - f->mantissa;
    uint64_t code;

    if (size >= bits_of(INFINITY))
        return sign | (size > bits_of(INFINITY) ? f->nan : f->inf);
    if (size < bits_of(power(least))) {
        /* In steps of the smallest subnormal; adding 2^52 rounds to a whole number. */
        volatile double steps = double_of(size) * power(f->mantissa - least) + 0x1p52;

        return sign | (uint32_t)(steps - 0x1p52);
    }
    code = (size + (UINT64_C(1) << (shift - 1)) - 1 + (size >> shift & 1)) >> shift;
    code -= (uint64_t)(1023 - f->bias) << f->mantissa;
    return sign | (code > f->max ? f->over : (uint32_t)code);
}

static inline __attribute__((always_inline)) double decode(const struct format *f, uint32_t code)
{
    const uint64_t sign = (uint64_t)(code >> (f->bits - 1) & 1) << 63;
    const uint32_t size = code & ((1u << (f->bits - 1)) - 1);
    const int e = (int)(size >> f->mantissa), least = 1 - f->bias;
    const uint32_t m = size & ((1u << f->mantissa) - 1);

    if (size > f->max)
        return double_of(sign |
                         (size == f->inf && f->inf != f->nan ? bits_of(INFINITY) : bits_of(NAN)));
    if (e == 0)
        return double_of(sign | bits_of((double)m * power(least - f->mantissa)));
    return double_of(sign | (uint64_t)(e - f->bias + 1023) << 52 |
                     (uint64_t)m << (52 - f->mantissa));
}

/* The formats are named as constants, so that each loop is made for one of them. */
#define LOAD_ALL(type, dtype)                                                                      \
    case dtype:                                                                                    \
        for (int64_t i = 0; i < n; i++)                                                            \
            x[i] = decode(&formats[dtype], ((const type *)base)[i]);                               \
        return
#define STORE_ALL(type, dtype)                                                                     \
    case dtype:                                                                                    \
        for (int64_t i = 0; i < n; i++)                                                            \
            ((type *)base)[i] = (type)encode(&formats[dtype], x[i]);                               \
        return

void aisp_numbers_load(const void *base, enum aisp_dtype dtype, double *x, int64_t n)
{
    switch (dtype) {
    case AISP_F64:
        memcpy(x, base, (size_t)n * 8);
        return;
    case AISP_F32:
        for (int64_t i = 0; i < n; i++)
            x[i] = ((const float *)base)[i];
        return;
        LOAD_ALL(uint16_t, AISP_F16);
        LOAD_ALL(uint16_t, AISP_BF16);
        LOAD_ALL(uint8_t, AISP_F8E4M3);
        LOAD_ALL(uint8_t, AISP_F8E5M2);
    default:
        AISP_BUG("dtype %d is no floating type", (int)dtype);
    }
}

void aisp_numbers_store(void *base, enum aisp_dtype dtype, const double *x, int64_t n)
{
    switch (dtype) {
    case AISP_F64:
        memcpy(base, x, (size_t)n * 8);
        return;
    case AISP_F32:
        for (int64_t i = 0; i < n; i++)
            ((float *)base)[i] = (float)x[i];
        return;
        STORE_ALL(uint16_t, AISP_F16);
        STORE_ALL(uint16_t, AISP_BF16);
        STORE_ALL(uint8_t, AISP_F8E4M3);
        STORE_ALL(uint8_t, AISP_F8E5M2);
    default:
        AISP_BUG("dtype %d is no floating type", (int)dtype);
    }
}

double aisp_number_load(const void *base, int64_t i, enum aisp_dtype dtype)
{
    double x;

    aisp_numbers_load((const char *)base + (size_t)i * aisp_dtype_bytes(dtype), dtype, &x, 1);
    return x;
}

void aisp_number_store(void *base, int64_t i, enum aisp_dtype dtype, double x)
{
    aisp_numbers_store((char *)base + (size_t)i * aisp_dtype_bytes(dtype), dtype, &x, 1);
}

double aisp_number_round(enum aisp_dtype dtype, double x)
{
    double cell = 0;

    aisp_number_store(&cell, 0, dtype, x);
    return aisp_number_load(&cell, 0, dtype);
}

/* The neighbour of a number of the type, towards `way`: rounding something a little further lands
 * there. */
static double neighbour(enum aisp_dtype dtype, double x, double way)
{
    double step = nextafter(x, way);

    for (double gap = fabs(step - x); aisp_number_round(dtype, step) == x; gap *= 2)
        step = x + (way > x ? gap : -gap);
    return aisp_number_round(dtype, step);
}

double aisp_number_below(enum aisp_dtype dtype, double x)
{
    const double near = aisp_number_round(dtype, x);

    return near <= x ? near : neighbour(dtype, near, -INFINITY);
}

double aisp_number_above(enum aisp_dtype dtype, double x)
{
    const double near = aisp_number_round(dtype, x);

    return near >= x ? near : neighbour(dtype, near, INFINITY);
}

int aisp_number_least_exponent(enum aisp_dtype dtype)
{
    return dtype == AISP_F64 ? -1022 : dtype == AISP_F32 ? -126 : 1 - formats[dtype].bias;
}

int64_t aisp_integer_load(const void *base, int64_t i, enum aisp_dtype dtype)
{
    switch (dtype) {
    case AISP_I64:
        return ((const int64_t *)base)[i];
    case AISP_I32:
        return ((const int32_t *)base)[i];
    case AISP_I16:
        return ((const int16_t *)base)[i];
    case AISP_I8:
        return ((const int8_t *)base)[i];
    case AISP_U8:
        return ((const uint8_t *)base)[i];
    default:
        AISP_BUG("dtype %d is no integer type", (int)dtype);
    }
}

void aisp_integers_store(void *base, enum aisp_dtype dtype, const int64_t *x, int64_t n)
{
    switch (dtype) {
    case AISP_I64:
        memcpy(base, x, (size_t)n * 8);
        return;
    case AISP_I32:
        for (int64_t i = 0; i < n; i++)
            ((int32_t *)base)[i] = (int32_t)x[i];
        return;
    case AISP_I16:
        for (int64_t i = 0; i < n; i++)
            ((int16_t *)base)[i] = (int16_t)x[i];
        return;
    case AISP_I8:
    case AISP_U8:
        for (int64_t i = 0; i < n; i++)
            ((uint8_t *)base)[i] = (uint8_t)x[i];
        return;
    default:
        AISP_BUG("dtype %d is no integer type", (int)dtype);
    }
}

void aisp_integer_store(void *base, int64_t i, enum aisp_dtype dtype, int64_t x)
{
    aisp_integers_store((char *)base + (size_t)i * aisp_dtype_bytes(dtype), dtype, &x, 1);
}
