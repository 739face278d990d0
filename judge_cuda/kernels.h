/* kernels.h - what each thread of the judge's kernels does, for nvcc (kernels.cu) and for any C
 * compiler: tests run the very same lines on the host and compare them with aisp_fill(). Not here:
 * how many threads there are (launch.c). The contract of the bits is core/judge/fill.c's header; of
 * conversions, core/judge/number.c. NAME_thread(arguments, thread, n_threads) is the part of thread
 * `thread` of n_threads: any number of them >= 1 gives the same memory. Products and sums must not
 * be fused: nvcc -fmad=false.  Fill: a thread makes the elements of one Philox block, 4 or (of 8
 * bytes) 2 of them, and stores them at once. Cost: one write (holds: one read) of the elements,
 * about 25 integer operations each. */
#ifndef AISP_JUDGE_CUDA_KERNELS_H
#define AISP_JUDGE_CUDA_KERNELS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "backends/cuda/judge_plan.h"

#ifdef __CUDACC__
#define JUDGE_INLINE       static __device__ __forceinline__
#define JUDGE_LEAST(at, x) atomicMin((unsigned long long *)(at), (unsigned long long)(x))
#define JUDGE_UNROLL       _Pragma("unroll")

/* Cycles until a word has come that no first-level cache may give. What comes is stored, for the clock is not to be read before. */
static __device__ __forceinline__ uint32_t judge_look(const void *at)
{
    __shared__ volatile uint32_t kept;
    uint32_t begin, end, word;

    asm volatile("mov.u32 %0, %%clock;" : "=r"(begin) : : "memory");
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
    kept = word;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end) : : "memory");
    return end - begin;
}
#else
#define JUDGE_INLINE       static inline __attribute__((always_inline, unused))
#define JUDGE_LEAST(at, x) (*(at) = *(at) < (uint64_t)(x) ? *(at) : (uint64_t)(x))
#define JUDGE_UNROLL

/* ns until a word has come, by this machine's clock. */
static inline uint32_t judge_look(const void *at)
{
    struct timespec begin, end;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    (void)*(const volatile uint32_t *)at;
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (uint32_t)((end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec);
}
#endif

/* What is stored or compared at once, lowest byte first. */
struct judge_pair {
    uint64_t low, high;
} __attribute__((aligned(16)));

JUDGE_INLINE void judge_philox(const struct judge_plan *p, uint64_t block, uint32_t word[4])
{
    uint32_t c0 = (uint32_t)block, c1 = (uint32_t)(block >> 32);
    uint32_t c2 = p->stream[0], c3 = p->stream[1];
    uint32_t k0 = p->key[0], k1 = p->key[1];

    JUDGE_UNROLL
    for (int round = 0; round < 10; round++) {
        const uint64_t even = (uint64_t)0xD2511F53u * c0, odd = (uint64_t)0xCD9E8D57u * c2;

        c0 = (uint32_t)(odd >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)odd;
        c2 = (uint32_t)(even >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)even;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    word[0] = c0;
    word[1] = c1;
    word[2] = c2;
    word[3] = c3;
}

JUDGE_INLINE uint64_t judge_bits_of_f64(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

JUDGE_INLINE uint32_t judge_bits_of_f32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

JUDGE_INLINE float judge_f32_of(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* By way of f32, which has more than two bits to spare: rounded to odd there (cut, and what was cut
 * kept as a last bit), so that the second rounding is as good as the only one. */
JUDGE_INLINE uint32_t judge_small(const struct judge_format *f, double x)
{
    const float near = (float)x;
    const double back = near;
    const int shift = 23 - f->mantissa;
    uint32_t bits = judge_bits_of_f32(near), sign, size, code;

    if (back != x)
        bits = (bits - (fabs(back) > fabs(x) ? 1 : 0)) | 1;
    sign = bits >> 31 << (f->bits - 1);
    size = bits & 0x7fffffff;
    if (size >= 0x7f800000)
        return sign | (size > 0x7f800000 ? f->nan : f->inf);
    if (size < f->least) /* in steps of the smallest subnormal; 2^23 has no bit below 1 */
        return sign | (uint32_t)(judge_f32_of(size) * f->steps + 0x1p23f - 0x1p23f);
    code = (size + (1u << (shift - 1)) - 1 + (size >> shift & 1)) >> shift;
    code -= (uint32_t)(127 - f->bias) << f->mantissa;
    return sign | (code > f->max ? f->over : code);
}

JUDGE_INLINE uint64_t judge_code_of_float(const struct judge_plan *p, const int element, double x)
{
    if (element == JUDGE_F64)
        return judge_bits_of_f64(x);
    if (element == JUDGE_F32)
        return judge_bits_of_f32((float)x);
    return judge_small(&p->format, x);
}

JUDGE_INLINE uint64_t judge_code_of_integer(const struct judge_plan *p, const int element,
                                            int64_t x)
{
    if (element >= JUDGE_I64)
        return (uint64_t)x;
    return judge_code_of_float(p, element, (double)x);
}

/* NORMAL's and UNIFORM's t. u: 64 bits of a wide element, or 32 in its high half. */
JUDGE_INLINE double judge_term(const struct judge_plan *p, const bool wide, uint64_t u)
{
    const uint32_t w = (uint32_t)(u >> 32);
    uint64_t sum, fine;
    uint32_t sum32, fine32;

    if (wide) {
        if (!p->is_sum)
            return (double)((int64_t)(u ^ (uint64_t)1 << 63) >> 10);
        sum = (u & 0xffff) + (u >> 16 & 0xffff) + (u >> 32 & 0xffff) + (u >> 48);
        fine = u * 0x9E3779B97F4A7C15u >> 32;
        return (double)((int64_t)(2 * ((sum << 32) + fine)) -
                        (((int64_t)2 * 131070 << 32) + 0xffffffff));
    }
    if (!p->is_sum)
        return (int32_t)(w ^ 0x80000000u);
    sum32 = (w & 0xff) + (w >> 8 & 0xff) + (w >> 16 & 0xff) + (w >> 24);
    fine32 = w * 0x9E3779B1u >> 16;
    return (int32_t)(2 * ((sum32 << 16) + fine32)) - (2 * 510 * 65536 + 65535);
}

JUDGE_INLINE double judge_affine(const struct judge_plan *p, const bool wide, uint64_t u)
{
    const double x = judge_term(p, wide, u) * p->scale, y = p->centre + x;
    const double held = y < p->low ? p->low : y > p->high ? p->high : y;

    if (p->is_subnormal && (uint32_t)(u >> 32) * 0x85EBCA6Bu >> 26 == 0)
        return held * p->tiny;
    return held;
}

JUDGE_INLINE double judge_power(int e) /* 2^e, a normal number */
{
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* x * 2^e, x in [1, 2). Far out in two steps, of which the second alone rounds. */
JUDGE_INLINE double judge_scaled(double x, int e)
{
    const int near = e < -1220 ? -1220 : e > 1220 ? 1220 : e;

    if (near < -1000)
        return x * judge_power(near + 200) * 0x1p-200;
    if (near > 1000)
        return x * judge_power(near - 200) * 0x1p200;
    return x * judge_power(near);
}

JUDGE_INLINE double judge_wide(const struct judge_plan *p, const bool wide, uint64_t u)
{
    const uint64_t draw = wide ? u : u >> 32;
    const double v = wide ? (double)(draw >> 11) * 0x1p-53 : (double)(draw >> 1) * 0x1p-31;
    const double step = p->scale * v, e = p->centre + step, whole = floor(e);
    const double x = judge_scaled(1 + (e - whole), (int)whole);

    return draw & 1 ? -x : x;
}

JUDGE_INLINE int64_t judge_integer(const struct judge_plan *p, uint64_t u)
{
    if (p->range == 0)
        return (int64_t)(p->base + u);
    return (int64_t)(p->base + (uint64_t)((unsigned __int128)u * p->range >> 64));
}

JUDGE_INLINE int judge_bytes_of(const int element)
{
    return element == JUDGE_F64 || element == JUDGE_I64       ? 8
           : element == JUDGE_F32 || element == JUDGE_I32     ? 4
           : element == JUDGE_SMALL16 || element == JUDGE_I16 ? 2
                                                              : 1;
}

JUDGE_INLINE uint64_t judge_code(const struct judge_plan *p, const int how, const int element,
                                 uint64_t u)
{
    const bool wide = judge_bytes_of(element) == 8;

    if (how == JUDGE_AFFINE)
        return judge_code_of_float(p, element, judge_affine(p, wide, u));
    if (how == JUDGE_WIDE)
        return judge_code_of_float(p, element, judge_wide(p, wide, u));
    if (how == JUDGE_INTEGERS)
        return judge_code_of_integer(p, element, judge_integer(p, u));
    return judge_code_of_integer(p, element, u >> 32 < p->range);
}

/* The elements of one block, side by side. */
JUDGE_INLINE struct judge_pair judge_block(const struct judge_plan *p, const int how,
                                           const int element, uint64_t block)
{
    const int size = judge_bytes_of(element), per_half = size == 8 ? 1 : 2;
    const uint64_t mask = size == 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * (size & 7)) - 1;
    struct judge_pair out;
    uint64_t half[2];
    uint32_t w[4];

    judge_philox(p, block, w);
    JUDGE_UNROLL
    for (int h = 0; h < 2; h++) {
        half[h] = 0;
        JUDGE_UNROLL
        for (int k = 0; k < per_half; k++) {
            const uint64_t u =
                size == 8 ? w[2 * h] | (uint64_t)w[2 * h + 1] << 32 : (uint64_t)w[2 * h + k] << 32;

            half[h] |= (judge_code(p, how, element, u) & mask) << (size == 8 ? 0 : 8 * size * k);
        }
    }
    if (size < 4) {
        out.low = half[0] | half[1] << 16 * (size & 3);
        out.high = 0;
    } else {
        out.low = half[0];
        out.high = half[1];
    }
    return out;
}

/* The first `bytes` bytes of a pair to `at`. */
JUDGE_INLINE void judge_store(unsigned char *at, struct judge_pair v, const int whole, int bytes)
{
    if (bytes == whole && (uintptr_t)at % (unsigned)whole == 0) {
        if (whole == 16)
            *(struct judge_pair *)at = v;
        else if (whole == 8)
            *(uint64_t *)at = v.low;
        else
            *(uint32_t *)at = (uint32_t)v.low;
        return;
    }
    for (int k = 0; k < bytes; k++)
        at[k] = (unsigned char)((k < 8 ? v.low : v.high) >> 8 * (k & 7));
}

/* The first of `bytes` bytes at `at` that is not the pair's; -1: none. */
JUDGE_INLINE int judge_differs(const unsigned char *at, struct judge_pair v, const int whole,
                               int bytes)
{
    if (bytes == whole && (uintptr_t)at % (unsigned)whole == 0) {
        if (whole == 16) {
            const struct judge_pair seen = *(const struct judge_pair *)at;

            if (seen.low == v.low && seen.high == v.high)
                return -1;
        } else if (whole == 8) {
            if (*(const uint64_t *)at == v.low)
                return -1;
        } else if (*(const uint32_t *)at == (uint32_t)v.low) {
            return -1;
        }
    }
    for (int k = 0; k < bytes; k++)
        if (at[k] != (unsigned char)((k < 8 ? v.low : v.high) >> 8 * (k & 7)))
            return k;
    return -1;
}

/* `bad` NULL: fill. Else compare, and leave the first element that differs. */
JUDGE_INLINE void judge_blocks(const struct judge_plan *p, unsigned char *tensor, int64_t first,
                               int64_t n, uint64_t *bad, int64_t thread, int64_t n_threads,
                               const int how, const int element)
{
    const int size = judge_bytes_of(element), per = size == 8 ? 2 : 4, whole = size * per;
    const int64_t n_blocks = (n + per - 1) / per, block = first / per;

    for (int64_t i = thread; i < n_blocks; i += n_threads) {
        const struct judge_pair v = judge_block(p, how, element, (uint64_t)(block + i));
        unsigned char *at = tensor + (block + i) * whole;
        const int bytes = n - i * per < per ? (int)(n - i * per) * size : whole;
        int k;

        if (!bad) {
            judge_store(at, v, whole, bytes);
            continue;
        }
        k = judge_differs(at, v, whole, bytes);
        if (k >= 0) {
            JUDGE_LEAST(bad, first + i * per + k / size);
            return;
        }
    }
}

#define JUDGE_CASE(how, element)                                                                   \
    case how * 8 + element:                                                                        \
        judge_blocks(p, tensor, first, n, bad, thread, n_threads, how, element);                   \
        return
#define JUDGE_FLOATS(how)                                                                          \
    JUDGE_CASE(how, JUDGE_F64);                                                                    \
    JUDGE_CASE(how, JUDGE_F32);                                                                    \
    JUDGE_CASE(how, JUDGE_SMALL16);                                                                \
    JUDGE_CASE(how, JUDGE_SMALL8)
#define JUDGE_WHOLES(how)                                                                          \
    JUDGE_CASE(how, JUDGE_I64);                                                                    \
    JUDGE_CASE(how, JUDGE_I32);                                                                    \
    JUDGE_CASE(how, JUDGE_I16);                                                                    \
    JUDGE_CASE(how, JUDGE_I8)

/* Named by constants, so that each loop is made for one of them. */
JUDGE_INLINE void judge_elements(const struct judge_plan *p, unsigned char *tensor, int64_t first,
                                 int64_t n, uint64_t *bad, int64_t thread, int64_t n_threads)
{
    switch (p->how * 8 + p->element) {
        JUDGE_FLOATS(JUDGE_AFFINE);
        JUDGE_FLOATS(JUDGE_WIDE);
        JUDGE_FLOATS(JUDGE_INTEGERS);
        JUDGE_WHOLES(JUDGE_INTEGERS);
        JUDGE_FLOATS(JUDGE_MASK);
        JUDGE_WHOLES(JUDGE_MASK);
    }
}

/* Elements [first, first + n) of `tensor`, which points at element 0; first is a multiple of 64. */
JUDGE_INLINE void judge_fill_thread(struct judge_plan plan, void *tensor, int64_t first, int64_t n,
                                    int64_t thread, int64_t n_threads)
{
    judge_elements(&plan, (unsigned char *)tensor, first, n, NULL, thread, n_threads);
}

/* Lowers *bad to the first of them that is not what a fill would write. */
JUDGE_INLINE void judge_holds_thread(struct judge_plan plan, const void *tensor, int64_t first,
                                     int64_t n, uint64_t *bad, int64_t thread, int64_t n_threads)
{
    judge_elements(&plan, (unsigned char *)(uintptr_t)tensor, first, n, bad, thread, n_threads);
}

/* Of piece i. Chosen, not indexed: an index would put the tile into a thread's own memory. */
JUDGE_INLINE uint64_t judge_word(const struct judge_tile *tile, int64_t i, const int half)
{
    const uint64_t even = i & 2 ? tile->word[4 + half] : tile->word[half];
    const uint64_t odd = i & 2 ? tile->word[6 + half] : tile->word[2 + half];

    return i & 1 ? odd : even;
}

/* Bytes [from, to) of `base` in pieces of 16 that begin at `base`. */
JUDGE_INLINE void judge_tiles(const struct judge_tile *tile, unsigned char *base, int64_t from,
                              int64_t to, uint64_t *bad, int64_t thread, int64_t n_threads)
{
    for (int64_t i = from / 16 + thread; i * 16 < to; i += n_threads) {
        struct judge_pair v;
        const int skip = i * 16 < from ? (int)(from - i * 16) : 0;
        const int end = to - i * 16 < 16 ? (int)(to - i * 16) : 16;
        int k;

        v.low = judge_word(tile, i, 0);
        v.high = judge_word(tile, i, 1);
        if (skip > 0) { /* the first piece, from its middle */
            v.low =
                skip < 8 ? v.low >> 8 * skip | v.high << 8 * (8 - skip) : v.high >> 8 * (skip - 8);
            v.high = skip < 8 ? v.high >> 8 * skip : 0;
        }
        if (!bad) {
            judge_store(base + i * 16 + skip, v, 16, end - skip);
            continue;
        }
        k = judge_differs(base + i * 16 + skip, v, 16, end - skip);
        if (k >= 0) {
            JUDGE_LEAST(bad, i * 16 + skip + k);
            return;
        }
    }
}

/* The tile again and again from `base` on, but only bytes [from, to) of it. */
JUDGE_INLINE void judge_tile_thread(struct judge_tile tile, void *base, int64_t from, int64_t to,
                                    int64_t thread, int64_t n_threads)
{
    judge_tiles(&tile, (unsigned char *)base, from, to, NULL, thread, n_threads);
}

/* Lowers *bad to the offset from `base` of the first byte that is not the tile's. */
JUDGE_INLINE void judge_tile_check_thread(struct judge_tile tile, const void *base, int64_t from,
                                          int64_t to, uint64_t *bad, int64_t thread,
                                          int64_t n_threads)
{
    judge_tiles(&tile, (unsigned char *)(uintptr_t)base, from, to, bad, thread, n_threads);
}

/* Reads the n bytes, so that nothing else lies in a cache that is smaller. They are zeros: nothing is ever stored. */
JUDGE_INLINE void judge_sweep_thread(const void *from, int64_t n, uint64_t *sum, int64_t thread,
                                     int64_t n_threads)
{
    const struct judge_pair *piece = (const struct judge_pair *)from;
    uint64_t any = 0;

    for (int64_t i = thread; i < n / 16; i += n_threads)
        any |= piece[i].low | piece[i].high;
    if (any)
        *sum = any;
}

enum { JUDGE_LINE_BYTES = 128, JUDGE_LINES_APART = 64 };

/* Line i of a draw: splitmix64. */
JUDGE_INLINE uint64_t judge_line(uint64_t seed, int64_t i, uint64_t n_lines)
{
    uint64_t x = seed + (uint64_t)(i + 1) * 0x9E3779B97F4A7C15u;

    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (x ^ x >> 31) % n_lines;
}

/* How long each of `n` lines takes to come, one after the other, by one thread. A line of the same page is read before, so
 * that the page's address is known and it is the line alone that is timed. */
JUDGE_INLINE void judge_lines_thread(const void *base, uint64_t bytes, uint64_t seed, int64_t n,
                                     uint32_t *took, int64_t thread, int64_t n_threads)
{
    const uint64_t n_lines = bytes / JUDGE_LINE_BYTES;
    const unsigned char *line = (const unsigned char *)base;

    (void)n_threads;
    for (int64_t i = 0; thread == 0 && n_lines && i < n; i++) {
        const uint64_t at = judge_line(seed, i, n_lines);
        const uint64_t beside = (at ^ JUDGE_LINES_APART) < n_lines ? at ^ JUDGE_LINES_APART : at;

        if (beside != at)
            judge_look(line + beside * JUDGE_LINE_BYTES);
        took[i] = judge_look(line + at * JUDGE_LINE_BYTES);
    }
}

/* The least that a device can do. */
JUDGE_INLINE void judge_probe_thread(uint64_t *to, uint64_t value, int64_t thread,
                                     int64_t n_threads)
{
    (void)n_threads;
    if (thread == 0)
        *to = value;
}

#endif
