/* poison.c - what an output holds before it is written.
 * The pattern is blocks 0 to 3 of the key's stream, as little-endian words; floats then get their
 * NaN bits: exponent all ones, quiet bit set, sign and the rest of the mantissa as drawn (f8e4m3,
 * which has one NaN, draws its sign only).
 * Why one short pattern: it is written at the speed of memory, and any element can be checked
 * alone. */
#include "core/judge/fill_inside.h"

#include <string.h>

#include "core/base/share.h"
#include "core/instance.h"

/* A multiple of the pattern, which begins anew in each part. */
enum { SHARED_BYTES = 8 << 20 };

/* The bits that make any pattern a quiet NaN, in 64 bits of elements. */
static uint64_t nan_bits(enum aisp_dtype dtype)
{
    switch (dtype) {
    case AISP_F64:
        return 0x7ff8000000000000;
    case AISP_F32:
        return 0x7fc000007fc00000;
    case AISP_F16:
        return 0x7e007e007e007e00;
    case AISP_BF16:
        return 0x7fc07fc07fc07fc0;
    case AISP_F8E4M3:
        return 0x7f7f7f7f7f7f7f7f;
    case AISP_F8E5M2:
        return 0x7e7e7e7e7e7e7e7e;
    default:
        return 0;
    }
}

void aisp_poison_pattern(unsigned char pattern[64], enum aisp_dtype dtype,
                         const struct aisp_philox *key)
{
    for (int block = 0; block < 4; block++) {
        uint32_t word[4];
        uint64_t half[2];

        aisp_philox_block(key, (uint64_t)block, word);
        for (int i = 0; i < 2; i++)
            half[i] = (word[2 * i] | (uint64_t)word[2 * i + 1] << 32) | nan_bits(dtype);
        memcpy(pattern + block * 16, half, 16);
    }
}

struct poisoned {
    unsigned char pattern[64], *to;
};

static void poison_part(void *context, int64_t first, int64_t n)
{
    const struct poisoned *p = context;
    unsigned char pattern[64], *at = p->to + first;

    memcpy(pattern, p->pattern, sizeof pattern);
    for (; n >= (int64_t)sizeof pattern; n -= (int64_t)sizeof pattern, at += sizeof pattern)
        memcpy(at, pattern, sizeof pattern);
    memcpy(at, pattern, (size_t)n);
}

void aisp_poison(void *to, size_t bytes, enum aisp_dtype dtype, const struct aisp_philox *key)
{
    struct poisoned p = { .to = to };

    aisp_poison_pattern(p.pattern, dtype, key);
    aisp_share((int64_t)bytes, SHARED_BYTES, poison_part, &p);
}

bool aisp_is_poison(const void *base, int64_t index, enum aisp_dtype dtype,
                    const struct aisp_philox *key)
{
    const size_t size = aisp_dtype_bytes(dtype), at = (size_t)index * size;
    unsigned char pattern[64];

    aisp_poison_pattern(pattern, dtype, key);
    return !memcmp((const unsigned char *)base + at, pattern + at % sizeof pattern, size);
}
