/* fill_avx2.c - the generator and its commonest distributions, eight words at a time. Same bits as
 * fill.c.
 * Why intrinsics: compilers differ by a factor of two on the plain loop, and only with luck use the
 * widening multiply. Four blocks lie in one vector, each word in the low half of a 64-bit lane:
 * _mm256_mul_epu32 reads just those halves, so what the high halves hold never matters, and no
 * product has to be shuffled into place before the end. */
#include "core/judge/fill_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

enum { ROUNDS = 10 };

struct lanes {
    __m256i c0, c1, c2, c3;
};
struct schedule {
    __m256i k0[ROUNDS], k1[ROUNDS];
};

AVX2 static inline struct lanes counters(uint64_t block, __m256i stream0, __m256i stream1)
{
    const __m256i n =
        _mm256_add_epi64(_mm256_set1_epi64x((long long)block), _mm256_setr_epi64x(0, 1, 2, 3));

    return (struct lanes){ n, _mm256_srli_epi64(n, 32), stream0, stream1 };
}

AVX2 static inline struct lanes mix(struct lanes c, __m256i k0, __m256i k1)
{
    const __m256i even = _mm256_mul_epu32(c.c0, _mm256_set1_epi64x(0xD2511F53));
    const __m256i odd = _mm256_mul_epu32(c.c2, _mm256_set1_epi64x(0xCD9E8D57));

    return (struct lanes){
        _mm256_xor_si256(_mm256_srli_epi64(odd, 32), _mm256_xor_si256(c.c1, k0)), odd,
        _mm256_xor_si256(_mm256_srli_epi64(even, 32), _mm256_xor_si256(c.c3, k1)), even
    };
}

#define MIX(round)                                                                                 \
    a = mix(a, key.k0[round], key.k1[round]);                                                      \
    b = mix(b, key.k0[round], key.k1[round])

/* Four blocks, 16 words, in the order of their blocks. */
AVX2 static inline void put(const struct lanes *c, uint32_t *to)
{
    const __m256i low = _mm256_blend_epi32(c->c0, _mm256_slli_epi64(c->c1, 32), 0xaa);
    const __m256i high = _mm256_blend_epi32(c->c2, _mm256_slli_epi64(c->c3, 32), 0xaa);
    const __m256i even = _mm256_unpacklo_epi64(low, high), odd = _mm256_unpackhi_epi64(low, high);

    _mm256_storeu_si256((__m256i *)to, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256((__m256i *)(to + 8), _mm256_permute2x128_si256(even, odd, 0x31));
}

AVX2 void aisp_words_avx2(const struct aisp_philox *p, uint64_t block, int64_t n_blocks,
                          uint32_t *to)
{
    const __m256i stream0 = _mm256_set1_epi64x(p->stream[0]),
                  stream1 = _mm256_set1_epi64x(p->stream[1]);
    struct schedule key;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        key.k0[i] = _mm256_set1_epi64x(p->key[0] + i * 0x9E3779B9u);
        key.k1[i] = _mm256_set1_epi64x(p->key[1] + i * 0xBB67AE85u);
    }
    for (int64_t i = 0; i < n_blocks; i += 8, block += 8, to += 32) {
        struct lanes a = counters(block, stream0, stream1),
                     b = counters(block + 4, stream0, stream1);

        /* Written out: gcc 12 leaves the loop at -O2. */
        MIX(0);
        MIX(1);
        MIX(2);
        MIX(3);
        MIX(4);
        MIX(5);
        MIX(6);
        MIX(7);
        MIX(8);
        MIX(9);
        put(&a, to);
        put(&b, to + 16);
    }
}

/* t of eight words: see "NORMAL" and "UNIFORM" in fill.c. */
AVX2 static inline __m256i sum_of_bytes(__m256i w)
{
    const __m256i pairs = _mm256_maddubs_epi16(w, _mm256_set1_epi8(1));
    const __m256i sum = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
    const __m256i fine =
        _mm256_srli_epi32(_mm256_mullo_epi32(w, _mm256_set1_epi32((int)0x9E3779B1u)), 16);
    const __m256i whole =
        _mm256_add_epi32(_mm256_slli_epi32(sum, 17), _mm256_add_epi32(fine, fine));

    return _mm256_sub_epi32(whole, _mm256_set1_epi32(2 * 510 * 65536 + 65535));
}

AVX2 static inline __attribute__((always_inline)) __m128 four(const struct aisp_affine *map,
                                                              __m128i t)
{
    __m256d x = _mm256_mul_pd(_mm256_cvtepi32_pd(t), _mm256_set1_pd(map->scale));

    x = _mm256_add_pd(_mm256_set1_pd(map->centre), x);
    return _mm256_cvtpd_ps(x);
}

/* Bounds are numbers of f32, so they may as well be kept after rounding. */
AVX2 static inline __attribute__((always_inline)) void affine(const struct aisp_affine *map,
                                                              const uint32_t *word, int64_t n,
                                                              float *to, bool has_low,
                                                              bool has_high)
{
    const __m256 low = _mm256_set1_ps((float)map->low), high = _mm256_set1_ps((float)map->high);

    for (int64_t i = 0; i < n; i += 8) {
        const __m256i w = _mm256_loadu_si256((const __m256i *)(word + i));
        const __m256i t =
            map->is_sum ? sum_of_bytes(w) : _mm256_xor_si256(w, _mm256_set1_epi32(INT32_MIN));
        __m256 x = _mm256_set_m128(four(map, _mm256_extracti128_si256(t, 1)),
                                   four(map, _mm256_castsi256_si128(t)));

        if (has_low)
            x = _mm256_max_ps(x, low);
        if (has_high)
            x = _mm256_min_ps(x, high);
        _mm256_storeu_ps(to + i, x);
    }
}

/* One loop for each case: NORMAL has no bounds, UNIFORM hardly ever needs the lower one. */
AVX2 void aisp_affine_f32_avx2(const struct aisp_affine *map, const uint32_t *word, int64_t n,
                               float *to)
{
    struct aisp_affine m = *map;
    const bool reaches_low = m.centre + -0x1p31 * m.scale < m.low;

    if (m.is_sum) {
        m.is_sum = true;
        affine(&m, word, n, to, false, false);
    } else if (reaches_low) {
        m.is_sum = false;
        affine(&m, word, n, to, true, true);
    } else {
        m.is_sum = false;
        affine(&m, word, n, to, false, true);
    }
}

AVX2 void aisp_integers_i32_avx2(int32_t low, uint32_t range, const uint32_t *word, int64_t n,
                                 int32_t *to)
{
    const __m256i by = _mm256_set1_epi64x(range), base = _mm256_set1_epi32(low);

    for (int64_t i = 0; i < n; i += 8) {
        const __m256i w = _mm256_loadu_si256((const __m256i *)(word + i));
        const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(w, by), 32);
        const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(w, 32), by);
        const __m256i high = _mm256_blend_epi32(even, odd, 0xaa);

        _mm256_storeu_si256((__m256i *)(to + i), _mm256_add_epi32(high, base));
    }
}

bool aisp_judge_has_avx2(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

#include "core/base/err.h"

void aisp_words_avx2(const struct aisp_philox *p, uint64_t block, int64_t n_blocks, uint32_t *to)
{
    aisp_words_portable(p, block, n_blocks, to);
}

void aisp_affine_f32_avx2(const struct aisp_affine *map, const uint32_t *word, int64_t n, float *to)
{
    AISP_BUG("no AVX2 here: %p %p %lld %p", (const void *)map, (const void *)word, (long long)n,
             (void *)to);
}

void aisp_integers_i32_avx2(int32_t low, uint32_t range, const uint32_t *word, int64_t n,
                            int32_t *to)
{
    AISP_BUG("no AVX2 here: %d %u %p %lld %p", low, range, (const void *)word, (long long)n,
             (void *)to);
}

bool aisp_judge_has_avx2(void)
{
    return false;
}

#endif
