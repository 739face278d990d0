/* optimized_x_in_bytes - x becomes three signed bytes an element once for all rows, 2^16 b0 + 2^8 b1 + b2 in units of 2^-22 of
 * the largest, so that weights are multiplied as the whole numbers they are: vpdpbusd (AVX-512 VNNI) takes 64 nibbles and 64
 * bytes, and the sums of a group are exact until its scale multiplies them.
 * Expected: 16 operations for 128 weights, of which 3 unpack and 6 multiply, where optimized_avx512 has 26: 1.6x, if the
 * weights come faster than that code takes them. The offset of the nibbles is what the sums begin with.
 * Costs: AVX-512 VNNI (elsewhere this is optimized_avx2); x in the workspace in another form, read by all rows; each x rounded
 * to 2^-23 of the largest |x|, which must be finite; up to three last groups go the other way.
 * Error: beside a few roundings a row, 2^-23 max|x| sqrt(cols) rms(w), less than the others' with their cols additions. */
#include <aisp/variant.h>

#include "row_avx2.h"

enum { DIGITS = 3, BLOCK = 128, LINE = 64, LANES = 16 };

/* What belongs to a block of columns, for one digit. Byte i: even of column 2i, odd of column 2i + 1. */
struct digit {
    int8_t even[LINE], odd[LINE];
    int32_t start[LANES]; /* -8 times the sum of the lane's bytes */
};

struct block {
    struct digit digit[DIGITS];
};

#define VNNI __attribute__((target("avx512f,avx512vnni,avx2,fma"), always_inline)) static inline

/* Half of a block's bytes of either kind, 16, for all digits; `whole` are elements in units of the last digit. */
VNNI void put_digits(__m512i whole, struct block *to, int odd, int at)
{
    for (int d = DIGITS - 1; d >= 0; d--) {
        int8_t *bytes = odd ? to->digit[d].odd : to->digit[d].even;

        _mm_store_si128((__m128i *)(bytes + at), _mm512_cvtepi32_epi8(whole)); /* the lowest byte, signed */
        whole = _mm512_srai_epi32(_mm512_add_epi32(whole, _mm512_set1_epi32(128)), 8);
    }
}

VNNI void put_starts(struct block *to)
{
    const __m512i zero = _mm512_set1_epi8(ZERO);

    for (int d = 0; d < DIGITS; d++) {
        const __m512i even = _mm512_load_si512(to->digit[d].even), odd = _mm512_load_si512(to->digit[d].odd);
        const __m512i sum = _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(_mm512_setzero_si512(), zero, even), zero, odd);

        _mm512_store_si512(to->digit[d].start, _mm512_sub_epi32(_mm512_setzero_si512(), sum));
    }
}

/* Whole blocks of x; `units` of the last digit are 1. */
VNNI void put_blocks(const float *x, float units, int64_t cols, struct block *to)
{
    const __m512i evens = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odds = _mm512_add_epi32(evens, _mm512_set1_epi32(1));
    const __m512 factor = _mm512_set1_ps(units);

    for (int64_t c = 0; c + BLOCK <= cols; c += BLOCK, to++) {
        for (int at = 0; at < LINE; at += LANES) {
            const __m512i a = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(x + c + 2 * at), factor));
            const __m512i b = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(x + c + 2 * at + LANES), factor));

            put_digits(_mm512_permutex2var_epi32(a, evens, b), to, 0, at);
            put_digits(_mm512_permutex2var_epi32(a, odds, b), to, 1, at);
        }
        put_starts(to);
    }
}

/* Sums of 128 weights without their scales, 8 to a lane, in units of the last digit. */
VNNI __m512 block_vnni(const uint8_t *w, const struct block *x)
{
    const __m512i mask = _mm512_set1_epi8(15), bytes = _mm512_loadu_si512(w);
    const __m512i even = _mm512_and_si512(bytes, mask), odd = _mm512_and_si512(_mm512_srli_epi32(bytes, 4), mask);
    __m512i sum[DIGITS];

    for (int d = 0; d < DIGITS; d++) {
        sum[d] = _mm512_dpbusd_epi32(_mm512_load_si512(x->digit[d].start), even, _mm512_load_si512(x->digit[d].even));
        sum[d] = _mm512_dpbusd_epi32(sum[d], odd, _mm512_load_si512(x->digit[d].odd));
    }
    sum[1] = _mm512_add_epi32(_mm512_slli_epi32(sum[0], 8), sum[1]);
    return _mm512_cvtepi32_ps(_mm512_add_epi32(_mm512_slli_epi32(sum[1], 8), sum[2]));
}

VNNI float row_vnni(const uint8_t *w, const float *scale, const struct block *x, int64_t n_blocks)
{
    const __m512i fourfold = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    enum { AHEAD = 2048 };
    __m512 s = _mm512_setzero_ps();

    for (int64_t b = 0; b < n_blocks; b++) {
        const __m512 four = _mm512_castps128_ps512(_mm_loadu_ps(scale + b * (BLOCK / GROUP)));

        _mm_prefetch((const char *)(w + b * LINE + AHEAD), _MM_HINT_T0); /* the rows follow each other */
        s = _mm512_fmadd_ps(block_vnni(w + b * LINE, x + b), _mm512_permutexvar_ps(fourfold, four), s);
    }
    return _mm512_reduce_add_ps(s);
}

/* Of whole blocks. */
VNNI float largest(const float *x, int64_t n)
{
    __m512 size = _mm512_setzero_ps(), other = size;

    for (int64_t i = 0; i < n; i += 2 * LANES) {
        size = _mm512_max_ps(size, _mm512_abs_ps(_mm512_loadu_ps(x + i)));
        other = _mm512_max_ps(other, _mm512_abs_ps(_mm512_loadu_ps(x + i + LANES)));
    }
    return _mm512_reduce_max_ps(_mm512_max_ps(size, other));
}

__attribute__((target("avx512f,avx512vnni,avx2,fma"))) static void all_vnni(const struct aisp_call *call)
{
    const uint8_t *w = call->tensor[W];
    const float *scale = call->tensor[SCALE], *x = call->tensor[X];
    const int64_t cols = call->param[COLS], whole = cols - cols % BLOCK;
    const float size = largest(x, whole), unit = size / 0x1p22f;
    struct block *blocks = call->workspace;
    float *y = call->tensor[Y];

    put_blocks(x, size > 0 ? 0x1p22f / size : 0, cols, blocks);
    for (int64_t r = 0; r < call->param[ROWS]; r++) {
        const uint8_t *row = w + r * cols / 2;
        const float *scales = scale + r * cols / GROUP;

        y[r] = unit * row_vnni(row, scales, blocks, whole / BLOCK);
        if (whole < cols)
            y[r] += row_avx2(row + whole / 2, scales + whole / GROUP, x + whole, cols - whole);
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[COLS] / BLOCK) * sizeof(struct block);
}

static enum aisp_status run(const struct aisp_call *call)
{
    if (__builtin_cpu_supports("avx512vnni")) {
        all_vnni(call);
        return AISP_OK;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        rows_avx2(call);
        return AISP_OK;
    }
    rows_portable(call);
    return AISP_OK;
}

AISP_DECLARE("idea: x as three bytes an element, so that weights are multiplied as whole numbers (AVX-512 VNNI)\n"
             "expect: instructions / 75 where there is VNNI, else / 15");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
