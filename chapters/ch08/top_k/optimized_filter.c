/* optimized_filter - eight elements at a time are compared with the k-th largest so far, and those above it are packed into a
 * buffer of a few k; when that is full the k largest of it are selected, and the threshold rises.
 * Expected: one pass of some 10 instructions for eight elements, without a branch on data, in the place of three; each
 * selection sees 4 k keys and lets through half or less of what it did before, so that there are only a handful of them: 2x to
 * 2.5x over optimized_radix_select.
 * Costs: AVX2; on an ascending row everything gets through, and it is a radix select with detours. */
#include <immintrin.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"
#include "select.h"

enum { LANES = 8, MASKS = 1 << LANES, STEP = 4 * LANES, BUFFER_PER_K = 4 };

static uint64_t order[MASKS]; /* byte j: which lane goes to place j; made in setup */

static enum aisp_status setup(const struct aisp_setup *setup)
{
    (void)setup;
    for (int mask = 0; mask < MASKS; mask++) {
        uint64_t lanes = 0;
        int place = 0;

        for (int lane = 0; lane < LANES; lane++)
            if (mask >> lane & 1)
                lanes |= (uint64_t)lane << 8 * place++;
        order[mask] = lanes;
    }
    return AISP_OK;
}

/* The keys of a row so far that may be among its k largest. */
struct sieve {
    uint32_t *key, *kept;
    int64_t n, room, k;
    float threshold; /* of the k largest so far the least: what is below it cannot be one */
};

static int64_t room_for(int64_t k)
{
    return BUFFER_PER_K * k + 2 * STEP;
}

/* Leaves the k largest. */
static void shrink(struct sieve *s)
{
    uint32_t least = UINT32_MAX, bits;

    keep_largest(s->key, s->n, s->k, s->kept);
    memcpy(s->key, s->kept, (size_t)s->k * sizeof *s->key);
    for (int64_t i = 0; i < s->k; i++)
        least = s->key[i] < least ? s->key[i] : least;
    bits = bits_of(least);
    memcpy(&s->threshold, &bits, sizeof bits);
    s->n = s->k;
}

__attribute__((target("avx2,popcnt"), always_inline)) static inline int64_t pack8(const float *x, __m256 threshold,
                                                                                    uint32_t *key)
{
    const __m256 v = _mm256_loadu_ps(x);
    const unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(v, threshold, _CMP_GT_OQ));
    const __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(order + mask)));
    const __m256i bits = _mm256_castps_si256(v), top = _mm256_set1_epi32(INT32_MIN);
    const __m256i keys = _mm256_xor_si256(bits, _mm256_or_si256(_mm256_srai_epi32(bits, 31), top));

    _mm256_storeu_si256((__m256i *)key, _mm256_permutevar8x32_epi32(keys, lanes));
    return _mm_popcnt_u32(mask);
}

/* Returns how many elements it has taken: all, or all but a few at the end. */
__attribute__((target("avx2,popcnt"))) static int64_t sift(struct sieve *s, const float *x, int64_t n)
{
    int64_t i = 0;

    for (; i + STEP <= n; i += STEP) {
        const __m256 threshold = _mm256_set1_ps(s->threshold);
        int64_t found = s->n;

        for (int at = 0; at < STEP; at += LANES)
            found += pack8(x + i + at, threshold, s->key + found);
        s->n = found;
        if (s->n + STEP > s->room)
            shrink(s);
    }
    return i;
}

static void add_rest(struct sieve *s, const float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        uint32_t bits;

        if (!(x[i] > s->threshold))
            continue;
        memcpy(&bits, x + i, sizeof bits);
        s->key[s->n++] = key_of(bits);
        if (s->n == s->room)
            shrink(s);
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(room_for(param[K]) + 2 * param[K]) * sizeof(uint32_t);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], n = call->param[N], k = call->param[K];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
    uint32_t *key = call->workspace, *kept = key + room_for(k), *other = kept + k;

    for (int64_t r = 0; r < rows; r++) {
        const float *x = (const float *)call->tensor[X] + r * n;
        float *y = (float *)call->tensor[Y] + r * k;
        struct sieve s = { key, kept, 0, room_for(k), k, -__builtin_inff() };
        const int64_t done = fast ? sift(&s, x, n) : 0;

        add_rest(&s, x + done, n - done);
        keep_largest(key, s.n, k, kept);
        write_sorted(kept, other, k, y);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: eight at a time against the k-th largest so far, what passes is packed and selected from\n"
             "expect: instructions / 3");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = setup, .run = run };
