/* fill_avx512.c - the generator and the commonest distributions, sixteen words at a time. Same bits as fill.c, same arrangement as
 * fill_avx2.c, where it is explained.
 * Sums of doubles are asked for with their rounding: a compiler that has this set has fused ones too, and would take them. */
#include "core/judge/fill_inside.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw")))
#define NEAREST (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)

enum { ROUNDS = 10, XOR_OF_THREE = 0x96 };

struct lanes {
    __m512i c0, c1, c2, c3;
};
struct schedule {
    __m512i k0[ROUNDS], k1[ROUNDS];
};

AVX512 static inline struct lanes counters(uint64_t block, __m512i stream0, __m512i stream1)
{
    const __m512i n = _mm512_add_epi64(_mm512_set1_epi64((long long)block), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));

    return (struct lanes){ n, _mm512_srli_epi64(n, 32), stream0, stream1 };
}

AVX512 static inline struct lanes mix(struct lanes c, __m512i k0, __m512i k1)
{
    const __m512i even = _mm512_mul_epu32(c.c0, _mm512_set1_epi64(0xD2511F53));
    const __m512i odd = _mm512_mul_epu32(c.c2, _mm512_set1_epi64(0xCD9E8D57));

    return (struct lanes){ _mm512_ternarylogic_epi64(_mm512_srli_epi64(odd, 32), c.c1, k0, XOR_OF_THREE), odd,
                           _mm512_ternarylogic_epi64(_mm512_srli_epi64(even, 32), c.c3, k1, XOR_OF_THREE), even };
}

#define MIX(round)                                                                                 \
    a = mix(a, key.k0[round], key.k1[round]);                                                      \
    b = mix(b, key.k0[round], key.k1[round])

/* Eight blocks, 32 words, in the order of their blocks. */
AVX512 static inline void put(const struct lanes *c, uint32_t *to)
{
    const __m512i low = _mm512_mask_blend_epi32(0xaaaa, c->c0, _mm512_slli_epi64(c->c1, 32));
    const __m512i high = _mm512_mask_blend_epi32(0xaaaa, c->c2, _mm512_slli_epi64(c->c3, 32));
    const __m512i first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), second = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);

    _mm512_storeu_si512(to, _mm512_permutex2var_epi64(low, first, high));
    _mm512_storeu_si512(to + 16, _mm512_permutex2var_epi64(low, second, high));
}

AVX512 void aisp_words_avx512(const struct aisp_philox *p, uint64_t block, int64_t n_blocks, uint32_t *to)
{
    const __m512i stream0 = _mm512_set1_epi64(p->stream[0]), stream1 = _mm512_set1_epi64(p->stream[1]);
    struct schedule key;

    for (uint32_t i = 0; i < ROUNDS; i++) {
        key.k0[i] = _mm512_set1_epi64(p->key[0] + i * 0x9E3779B9u);
        key.k1[i] = _mm512_set1_epi64(p->key[1] + i * 0xBB67AE85u);
    }
    for (int64_t i = 0; i < n_blocks; i += 16, block += 16, to += 64) {
        struct lanes a = counters(block, stream0, stream1), b = counters(block + 8, stream0, stream1);

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
        put(&b, to + 32);
    }
}

/* t of sixteen words: see "NORMAL" and "UNIFORM" in fill.c. */
AVX512 static inline __m512i sum_of_bytes(__m512i w)
{
    const __m512i pairs = _mm512_maddubs_epi16(w, _mm512_set1_epi8(1));
    const __m512i sum = _mm512_madd_epi16(pairs, _mm512_set1_epi16(1));
    const __m512i fine = _mm512_srli_epi32(_mm512_mullo_epi32(w, _mm512_set1_epi32((int)0x9E3779B1u)), 16);
    const __m512i whole = _mm512_add_epi32(_mm512_slli_epi32(sum, 17), _mm512_add_epi32(fine, fine));

    return _mm512_sub_epi32(whole, _mm512_set1_epi32(2 * 510 * 65536 + 65535));
}

AVX512 static inline __attribute__((always_inline)) __m256 eight(const struct aisp_affine *map, __m256i t)
{
    __m512d x = _mm512_mul_round_pd(_mm512_cvtepi32_pd(t), _mm512_set1_pd(map->scale), NEAREST);

    x = _mm512_add_round_pd(_mm512_set1_pd(map->centre), x, NEAREST);
    return _mm512_cvtpd_ps(x);
}

/* Bounds are numbers of f32, so they may as well be kept after rounding; Inf where there is none. */
AVX512 void aisp_affine_f32_avx512(const struct aisp_affine *map, const uint32_t *word, int64_t n, float *to)
{
    const __m512 low = _mm512_set1_ps((float)map->low), high = _mm512_set1_ps((float)map->high);

    for (int64_t i = 0; i < n; i += 16) {
        const __m512i w = _mm512_loadu_si512(word + i);
        const __m512i t = map->is_sum ? sum_of_bytes(w) : _mm512_xor_si512(w, _mm512_set1_epi32(INT32_MIN));
        const __m512d lower = _mm512_castps_pd(_mm512_castps256_ps512(eight(map, _mm512_castsi512_si256(t)))),
                      both = _mm512_insertf64x4(lower, _mm256_castps_pd(eight(map, _mm512_extracti64x4_epi64(t, 1))), 1);

        _mm512_storeu_ps(to + i, _mm512_min_ps(_mm512_max_ps(_mm512_castpd_ps(both), low), high));
    }
}

bool aisp_judge_has_avx512(void)
{
    return __builtin_cpu_supports("avx512bw");
}

#else

void aisp_words_avx512(const struct aisp_philox *p, uint64_t block, int64_t n_blocks, uint32_t *to)
{
    aisp_words_portable(p, block, n_blocks, to);
}

void aisp_affine_f32_avx512(const struct aisp_affine *map, const uint32_t *word, int64_t n, float *to)
{
    aisp_affine_f32_avx2(map, word, n, to);
}

bool aisp_judge_has_avx512(void)
{
    return false;
}

#endif
