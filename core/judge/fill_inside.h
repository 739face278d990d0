/* fill_inside.h - what fill.c, its AVX2 and AVX-512 twins, devices that fill by kernels, and the tests share. */
#ifndef AISP_JUDGE_FILL_INSIDE_H
#define AISP_JUDGE_FILL_INSIDE_H

#include <stdbool.h>

#include "core/judge/fill.h"

enum { FILL_BLOCKS = 256, FILL_WORDS = 4 * FILL_BLOCKS }; /* made at once: 4 KiB, stays in L1 */

/* x = centre + t * scale, both operations rounded, then held in [low, high], then rounded to the
 * dtype. */
struct aisp_affine {
    double centre, scale, low, high;
    bool is_sum; /* t is the sum of bytes (NORMAL); else the word itself, signed (UNIFORM) */
};

/* Of NORMAL, UNIFORM and SUBNORMAL. wide: elements of 8 bytes. */
struct aisp_affine aisp_affine_of(const struct aisp_filling *what, bool wide);

/* Blocks [block, block + n_blocks) of the generator. Rounded up to 8 blocks, AVX-512: 16; `to` has room
 * for them. */
void aisp_words_portable(const struct aisp_philox *p, uint64_t block, int64_t n_blocks,
                         uint32_t *to);
void aisp_words_avx2(const struct aisp_philox *p, uint64_t block, int64_t n_blocks, uint32_t *to);
void aisp_words_avx512(const struct aisp_philox *p, uint64_t block, int64_t n_blocks, uint32_t *to);

/* n elements, n a multiple of 8, AVX-512: 16. The last: low + (word * range >> 32). */
void aisp_affine_f32_avx2(const struct aisp_affine *map, const uint32_t *word, int64_t n,
                          float *to);
void aisp_affine_f32_avx512(const struct aisp_affine *map, const uint32_t *word, int64_t n,
                            float *to);
void aisp_integers_i32_avx2(int32_t low, uint32_t range, const uint32_t *word, int64_t n,
                            int32_t *to);

/* Zipf: thresholds of the 64-bit draw at which the buckets begin; guide[d] is the bucket that holds
 * d << 52. */
enum { ZIPF_GUIDE = 4096 };
struct aisp_zipf {
    double exponent, limit;
    int n_buckets;
    uint64_t *threshold;
    int64_t *start; /* first number of each bucket; start[n_buckets] is the limit */
    int32_t guide[ZIPF_GUIDE];
    struct aisp_zipf *next;
};
const struct aisp_zipf *aisp_zipf_table(double exponent, double limit);

static inline int64_t aisp_zipf_draw(const struct aisp_zipf *zipf, uint64_t u)
{
    int k = zipf->guide[u >> 52];
    uint64_t gap, end;
    int64_t size;

    while (k + 1 < zipf->n_buckets && zipf->threshold[k + 1] <= u)
        k++;
    size = zipf->start[k + 1] - zipf->start[k];
    if (size == 1)
        return zipf->start[k];
    end = k + 1 < zipf->n_buckets ? zipf->threshold[k + 1] : 0; /* 0 stands for 2^64 */
    gap = end - zipf->threshold[k];
    return zipf->start[k] +
           (int64_t)((unsigned __int128)(u - zipf->threshold[k]) * (uint64_t)size / gap);
}

bool aisp_judge_has_avx2(void);
bool aisp_judge_has_avx512(void);
enum aisp_judge_path { AISP_PORTABLE, AISP_AVX2, AISP_AVX512 };
/* aisp_fill() on the path named, by the caller alone. */
void aisp_fill_by(enum aisp_judge_path path, const struct aisp_filling *what, void *tensor, int64_t first,
                  int64_t n);

/* The 64 bytes that poison repeats. */
void aisp_poison_pattern(unsigned char pattern[64], enum aisp_dtype dtype,
                         const struct aisp_philox *key);

#endif
