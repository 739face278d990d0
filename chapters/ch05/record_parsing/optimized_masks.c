/* optimized_masks - 64 bytes become a mask of digits with a few AVX2 comparisons, a number is a run of ones in it, and up to eight
 * digits are turned into a value by three multiplications.
 * Expected: the work is per number and no longer per byte: some 20 cycles for five digits instead of 5 a byte, 2 to 3x over the
 * baseline. What is left are the two loops over runs of unknown length.
 * Costs: AVX2; numbers of more than eight digits and what crosses a block go byte by byte.
 * Source: the three multiplications are the SWAR way to parse eight digits, W. Mula and D. Lemire, 2018. */
#include <immintrin.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { BLOCK = 64, MOST_AT_ONCE = 8 };

/* One of n digits at `text`, n at most 8, of which 8 bytes may be read. */
static inline uint32_t number_of_8(const uint8_t *text, int n)
{
    uint64_t digits;

    memcpy(&digits, text, sizeof digits);
    /* The digits to the upper end, zeros before them. */
    digits = n == MOST_AT_ONCE ? digits - 0x3030303030303030u : (digits - 0x3030303030303030u) << 8 * (MOST_AT_ONCE - n);
    digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
    digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffffu;
    return (uint32_t)((digits * 10000 + (digits >> 32)) & 0xffffffffu);
}

static uint32_t number_of_any(const uint8_t *text, int64_t n)
{
    uint32_t value = 0;

    for (int64_t i = 0; i < n; i++)
        value = 10 * value + (uint32_t)(text[i] - '0');
    return value;
}

__attribute__((target("avx2,bmi"))) static uint64_t digits_in(const uint8_t *text)
{
    const __m256i below = _mm256_set1_epi8('0' - 1), above = _mm256_set1_epi8('9' + 1);
    uint64_t mask = 0;

    for (int half = 0; half < 2; half++) {
        const __m256i x = _mm256_loadu_si256((const __m256i *)(text + 32 * half));
        const __m256i is = _mm256_and_si256(_mm256_cmpgt_epi8(x, below), _mm256_cmpgt_epi8(above, x));

        mask |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is) << 32 * half;
    }
    return mask;
}

struct line {
    const uint8_t *text, *end; /* end of all text: nothing behind it may be read */
    int64_t width, begun;      /* where the number began that has not ended; -1: none has */
    int64_t count;
    uint32_t total;
};

static inline void add_number(struct line *l, int64_t from, int64_t to)
{
    const int64_t n = to - from;

    l->total += n <= MOST_AT_ONCE && l->text + from + MOST_AT_ONCE <= l->end ? number_of_8(l->text + from, (int)n)
                                                                            : number_of_any(l->text + from, n);
    l->count++;
}

__attribute__((target("avx2,bmi"))) static void take_block(struct line *l, int64_t at, uint64_t digits)
{
    if (l->begun >= 0) {
        const int64_t n = ~digits ? (int64_t)_tzcnt_u64(~digits) : BLOCK;

        if (n == BLOCK)
            return;
        add_number(l, l->begun, at + n);
        l->begun = -1;
        digits &= ~UINT64_C(0) << n;
    }
    while (digits) {
        const int64_t from = (int64_t)_tzcnt_u64(digits);
        const uint64_t others = ~digits & (~UINT64_C(0) << from);
        int64_t to;

        if (!others) {
            l->begun = at + from;
            return;
        }
        to = (int64_t)_tzcnt_u64(others);
        add_number(l, at + from, at + to);
        digits &= ~UINT64_C(0) << to;
    }
}

static void take_rest(struct line *l, int64_t at)
{
    for (; at < l->width; at++) {
        const int is_digit = l->text[at] >= '0' && l->text[at] <= '9';

        if (is_digit && l->begun < 0)
            l->begun = at;
        if (!is_digit && l->begun >= 0) {
            add_number(l, l->begun, at);
            l->begun = -1;
        }
    }
    if (l->begun >= 0)
        add_number(l, l->begun, l->width);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t lines = call->param[LINES], width = call->param[WIDTH];
    const uint8_t *text = call->tensor[TEXT];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    int64_t *count = call->tensor[COUNT], *total = call->tensor[TOTAL];

    for (int64_t i = 0; i < lines; i++) {
        struct line l = { text + i * width, text + lines * width, width, -1, 0, 0 };
        int64_t at = 0;

        for (; fast && at + BLOCK <= width; at += BLOCK)
            take_block(&l, at, digits_in(l.text + at));
        take_rest(&l, at);
        count[i] = l.count;
        total[i] = l.total;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: numbers are runs of ones in a mask of 64 bytes, and eight digits are three multiplications\n"
             "expect: instructions / 3");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
