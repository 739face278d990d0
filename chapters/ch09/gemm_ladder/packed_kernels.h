/* packed_kernels.h - the register tiles of optimized_packed.c: one family for each
 * instruction set, one kernel in it for each number of rows.
 * Not here: packing, blocking, the choice of a family (optimized_packed.c).
 * Why assembly: an accumulator that a compiler spills costs more than all else that is won. */
#ifndef GEMM_LADDER_PACKED_KERNELS_H
#define GEMM_LADDER_PACKED_KERNELS_H

#include <stdint.h>

/* What one kernel call works on. Rows of a are lda apart, c's ldc; b and sums are packed: rows of
 * nr floats. */
struct tile {
    const float *a;
    int64_t lda;
    const float *b;
    int64_t k;
    float *c;
    int64_t ldc;
    const float *sums;   /* NULL: c = a b, else c = sums + a b */
    const float *next_a; /* read by the next call: prefetched */
    /* For a copying kernel: it copies k / 8 pieces of nr floats as well. They follow each other in
     * a row of the source, and are to_ld apart where they go; after `left` of them comes the next
     * row, of `pieces`, from_ld and to_row behind this one. */
    const float *from;
    float *to;
    int64_t from_ld, to_ld, to_row, left, pieces;
};

typedef void kernel_fn(const struct tile *);

/* ---- The kernels. One text for every number of rows: rows beyond it are assembled to nothing.
 * ---- a0 (a3, a6, a9, a12): that row of a; the other two of each group are 1 and 2 lda away.
 * What is seldom used lies in memory, in `more`: there are not enough registers for the copy. */

/* clang-format off */
/* Two kinds of kernel: Y_KERNEL(rows, name, PLAIN or COPYING). */
#define Y_PLAIN
#define Z_PLAIN
#define PLAIN_MORE(t, nr)                                                                          \
    (int64_t)((t)->b + (t)->k / 8 * 8 * nr), (t)->k % 8, (int64_t)(t)->c, (t)->ldc * 4,            \
        (int64_t)(t)->sums
#define PLAIN_OUTPUTS
#define PLAIN_INPUTS

#define COPYING_MORE(t, nr)                                                                        \
    PLAIN_MORE(t, nr), (int64_t)((t)->from + (t)->left * nr),                                      \
        ((t)->from_ld - (t)->pieces * nr) * 4, ((t)->to_row - (t)->pieces * (t)->to_ld) * 4
#define COPYING_OUTPUTS , [from] "+r"(from), [to] "+r"(to)
#define COPYING_INPUTS , [from_ld] "r"(t->from_ld * 4), [to_ld] "r"(t->to_ld * 4)

#define NEXT_ROW                                                                                   \
    "cmp 40(%[more]), %[from]\n"                                                                   \
    "jne 9f\n"                                                                                     \
    "add 48(%[more]), %[from]\n"                                                                   \
    "add 56(%[more]), %[to]\n"                                                                     \
    "add %[from_ld], 40(%[more])\n"                                                                \
    "9:\n"

#define IF(rows, r, text) ".if " #rows " > " #r "\n" text ".endif\n"

/* -- AVX2, 6x16: accumulators ymm0-11 (two a row), b in ymm12-13, a in ymm14-15. Latency 4, two a
 * cycle: 12 >= 8 chains. -- */
#define Y_FMA(a_at, v, lo, hi)                                                                     \
    "vbroadcastss " a_at ", %%ymm" v "\n"                                                          \
    "vfmadd231ps %%ymm12, %%ymm" v ", %%ymm" lo "\n"                                               \
    "vfmadd231ps %%ymm13, %%ymm" v ", %%ymm" hi "\n"

#define Y_STEP(rows, p)                                                                            \
    "vmovaps " #p "*64(%[b]), %%ymm12\n"                                                           \
    "vmovaps " #p "*64+32(%[b]), %%ymm13\n"                                                        \
    IF(rows, 0, Y_FMA(#p "*4(%[a0])", "14", "0", "1"))                                             \
    IF(rows, 1, Y_FMA(#p "*4(%[a0],%[lda])", "15", "2", "3"))                                      \
    IF(rows, 2, Y_FMA(#p "*4(%[a0],%[lda],2)", "14", "4", "5"))                                    \
    IF(rows, 3, Y_FMA(#p "*4(%[a3])", "15", "6", "7"))                                             \
    IF(rows, 4, Y_FMA(#p "*4(%[a3],%[lda])", "14", "8", "9"))                                      \
    IF(rows, 5, Y_FMA(#p "*4(%[a3],%[lda],2)", "15", "10", "11"))

#define Y_ZERO(rows, r, lo, hi)                                                                    \
    IF(rows, r, "vxorps %%xmm" lo ", %%xmm" lo ", %%xmm" lo "\n"                                   \
                "vxorps %%xmm" hi ", %%xmm" hi ", %%xmm" hi "\n")

#define Y_ADD(rows, r, lo, hi)                                                                     \
    IF(rows, r, "vaddps " #r "*64(%[next]), %%ymm" lo ", %%ymm" lo "\n"                            \
                "vaddps " #r "*64+32(%[next]), %%ymm" hi ", %%ymm" hi "\n")

#define Y_STORE(rows, r, lo, hi)                                                                   \
    IF(rows, r, "vmovups %%ymm" lo ", (%[a0])\n" "vmovups %%ymm" hi ", 32(%[a0])\n"                \
                "add %[b], %[a0]\n")

#define Y_EACH(what, rows)                                                                         \
    what(rows, 0, "0", "1") what(rows, 1, "2", "3") what(rows, 2, "4", "5") what(rows, 3, "6", "7")\
    what(rows, 4, "8", "9") what(rows, 5, "10", "11")

/* The row after the next is prefetched: rows lie in pages of their own, where no hardware
 * prefetcher follows. Past the end that is harmless. */
#define Y_COPYING                                                                                  \
    "prefetcht0 (%[from],%[from_ld],2)\n"                                                          \
    "vmovups (%[from]), %%ymm14\n"                                                                 \
    "vmovups 32(%[from]), %%ymm15\n"                                                               \
    "vmovups %%ymm14, (%[to])\n"                                                                   \
    "vmovups %%ymm15, 32(%[to])\n"                                                                 \
    "add $64, %[from]\n"                                                                           \
    "add %[to_ld], %[to]\n"                                                                        \
    NEXT_ROW

#define Y_KERNEL(rows, name, kind)                                                                 \
    static void avx2_##name(const struct tile *t)                                                  \
    {                                                                                              \
        const float *a0 = t->a, *a3 = t->a + 3 * t->lda, *b = t->b, *next = t->next_a;             \
        const float *from = t->from;                                                               \
        float *to = t->to;                                                                         \
        int64_t more[] = { kind##_MORE(t, 16) };                                                   \
                                                                                                   \
        (void)from, (void)to; /* not in a plain one */                                             \
                                                                                                   \
        __asm__ volatile(                                                                          \
            Y_EACH(Y_ZERO, rows)                                                                   \
            "cmp (%[more]), %[b]\n"                                                                \
            "jz 2f\n"                                                                              \
            ".p2align 6\n"                                                                         \
            "1:\n"                                                                                 \
            "prefetcht0 (%[next])\n"                                                               \
            Y_STEP(rows, 0) Y_STEP(rows, 1) Y_STEP(rows, 2)                                        \
            "prefetcht0 64(%[next])\n"                                                             \
            Y_STEP(rows, 3) Y_STEP(rows, 4) Y_STEP(rows, 5)                                        \
            "prefetcht0 128(%[next])\n"                                                            \
            Y_STEP(rows, 6) Y_STEP(rows, 7) Y_##kind                                               \
            "add $32, %[a0]\n"                                                                     \
            "add $32, %[a3]\n"                                                                     \
            "add $512, %[b]\n"                                                                     \
            "add $192, %[next]\n"                                                                  \
            "cmp (%[more]), %[b]\n"                                                                \
            "jnz 1b\n"                                                                             \
            "2:\n"                                                                                 \
            "cmpq $0, 8(%[more])\n"                                                                \
            "jz 4f\n"                                                                              \
            "3:\n"                                                                                 \
            Y_STEP(rows, 0)                                                                        \
            "add $4, %[a0]\n"                                                                      \
            "add $4, %[a3]\n"                                                                      \
            "add $64, %[b]\n"                                                                      \
            "decq 8(%[more])\n"                                                                    \
            "jnz 3b\n"                                                                             \
            "4:\n"                                                                                 \
            "mov 32(%[more]), %[next]\n"                                                           \
            "test %[next], %[next]\n"                                                              \
            "jz 5f\n"                                                                              \
            Y_EACH(Y_ADD, rows)                                                                    \
            "5:\n"                                                                                 \
            "mov 16(%[more]), %[a0]\n"                                                             \
            "mov 24(%[more]), %[b]\n"                                                              \
            Y_EACH(Y_STORE, rows)                                                                  \
            "vzeroupper\n"                                                                         \
            : [a0] "+r"(a0), [a3] "+r"(a3), [b] "+r"(b), [next] "+r"(next) kind##_OUTPUTS          \
            : [lda] "r"(t->lda * 4), [more] "r"(more) kind##_INPUTS                                \
            : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",      \
              "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");               \
    }

Y_KERNEL(1, 1x16, PLAIN)
Y_KERNEL(2, 2x16, PLAIN)
Y_KERNEL(3, 3x16, PLAIN)
Y_KERNEL(4, 4x16, PLAIN)
Y_KERNEL(5, 5x16, PLAIN)
Y_KERNEL(6, 6x16, PLAIN)
Y_KERNEL(6, copying, COPYING)

static kernel_fn *const avx2_kernel[] = {
    avx2_1x16, avx2_2x16, avx2_3x16, avx2_4x16, avx2_5x16, avx2_6x16,
};

/* -- AVX-512, 14x32: accumulators zmm0-27 (two a row), b in zmm28-29, a in zmm30-31; the same text
 * in wider registers. -- */
#define Z_FMA(a_at, v, lo, hi)                                                                     \
    "vbroadcastss " a_at ", %%zmm" v "\n"                                                          \
    "vfmadd231ps %%zmm28, %%zmm" v ", %%zmm" lo "\n"                                               \
    "vfmadd231ps %%zmm29, %%zmm" v ", %%zmm" hi "\n"

#define Z_STEP(rows, p)                                                                            \
    "vmovaps " #p "*128(%[b]), %%zmm28\n"                                                          \
    "vmovaps " #p "*128+64(%[b]), %%zmm29\n"                                                       \
    IF(rows, 0, Z_FMA(#p "*4(%[a0])", "30", "0", "1"))                                             \
    IF(rows, 1, Z_FMA(#p "*4(%[a0],%[lda])", "31", "2", "3"))                                      \
    IF(rows, 2, Z_FMA(#p "*4(%[a0],%[lda],2)", "30", "4", "5"))                                    \
    IF(rows, 3, Z_FMA(#p "*4(%[a3])", "31", "6", "7"))                                             \
    IF(rows, 4, Z_FMA(#p "*4(%[a3],%[lda])", "30", "8", "9"))                                      \
    IF(rows, 5, Z_FMA(#p "*4(%[a3],%[lda],2)", "31", "10", "11"))                                  \
    IF(rows, 6, Z_FMA(#p "*4(%[a6])", "30", "12", "13"))                                           \
    IF(rows, 7, Z_FMA(#p "*4(%[a6],%[lda])", "31", "14", "15"))                                    \
    IF(rows, 8, Z_FMA(#p "*4(%[a6],%[lda],2)", "30", "16", "17"))                                  \
    IF(rows, 9, Z_FMA(#p "*4(%[a9])", "31", "18", "19"))                                           \
    IF(rows, 10, Z_FMA(#p "*4(%[a9],%[lda])", "30", "20", "21"))                                   \
    IF(rows, 11, Z_FMA(#p "*4(%[a9],%[lda],2)", "31", "22", "23"))                                 \
    IF(rows, 12, Z_FMA(#p "*4(%[a12])", "30", "24", "25"))                                         \
    IF(rows, 13, Z_FMA(#p "*4(%[a12],%[lda])", "31", "26", "27"))

#define Z_ZERO(rows, r, lo, hi)                                                                    \
    IF(rows, r, "vpxord %%zmm" lo ", %%zmm" lo ", %%zmm" lo "\n"                                   \
                "vpxord %%zmm" hi ", %%zmm" hi ", %%zmm" hi "\n")

#define Z_ADD(rows, r, lo, hi)                                                                     \
    IF(rows, r, "vaddps " #r "*128(%[next]), %%zmm" lo ", %%zmm" lo "\n"                           \
                "vaddps " #r "*128+64(%[next]), %%zmm" hi ", %%zmm" hi "\n")

#define Z_STORE(rows, r, lo, hi)                                                                   \
    IF(rows, r, "vmovups %%zmm" lo ", (%[a0])\n" "vmovups %%zmm" hi ", 64(%[a0])\n"                \
                "add %[b], %[a0]\n")

#define Z_EACH(what, rows)                                                                         \
    what(rows, 0, "0", "1") what(rows, 1, "2", "3") what(rows, 2, "4", "5")                        \
    what(rows, 3, "6", "7") what(rows, 4, "8", "9") what(rows, 5, "10", "11")                      \
    what(rows, 6, "12", "13") what(rows, 7, "14", "15") what(rows, 8, "16", "17")                  \
    what(rows, 9, "18", "19") what(rows, 10, "20", "21") what(rows, 11, "22", "23")                \
    what(rows, 12, "24", "25") what(rows, 13, "26", "27")

#define Z_COPYING                                                                                  \
    "prefetcht0 (%[from],%[from_ld],2)\n"                                                          \
    "prefetcht0 64(%[from],%[from_ld],2)\n"                                                        \
    "vmovups (%[from]), %%zmm30\n"                                                                 \
    "vmovups 64(%[from]), %%zmm31\n"                                                               \
    "vmovups %%zmm30, (%[to])\n"                                                                   \
    "vmovups %%zmm31, 64(%[to])\n"                                                                 \
    "add $128, %[from]\n"                                                                          \
    "add %[to_ld], %[to]\n"                                                                        \
    NEXT_ROW

#define Z_KERNEL(rows, name, kind)                                                                 \
    __attribute__((target("avx512f"))) static void avx512_##name(const struct tile *t)             \
    {                                                                                              \
        const float *a0 = t->a, *a3 = a0 + 3 * t->lda, *a6 = a3 + 3 * t->lda;                      \
        const float *a9 = a6 + 3 * t->lda, *a12 = a9 + 3 * t->lda, *b = t->b, *next = t->next_a;   \
        const float *from = t->from;                                                               \
        float *to = t->to;                                                                         \
        int64_t more[] = { kind##_MORE(t, 32) };                                                   \
                                                                                                   \
        (void)from, (void)to; /* not in a plain one */                                             \
                                                                                                   \
        __asm__ volatile(                                                                          \
            Z_EACH(Z_ZERO, rows)                                                                   \
            "cmp (%[more]), %[b]\n"                                                                \
            "jz 2f\n"                                                                              \
            ".p2align 6\n"                                                                         \
            "1:\n"                                                                                 \
            Z_STEP(rows, 0) "prefetcht0 0(%[next])\n"                                              \
            Z_STEP(rows, 1) "prefetcht0 64(%[next])\n"                                             \
            Z_STEP(rows, 2) "prefetcht0 128(%[next])\n"                                            \
            Z_STEP(rows, 3) "prefetcht0 192(%[next])\n"                                            \
            Z_STEP(rows, 4) "prefetcht0 256(%[next])\n"                                            \
            Z_STEP(rows, 5) "prefetcht0 320(%[next])\n"                                            \
            Z_STEP(rows, 6) "prefetcht0 384(%[next])\n"                                            \
            Z_STEP(rows, 7) Z_##kind                                                               \
            "add $32, %[a0]\n"                                                                     \
            "add $32, %[a3]\n"                                                                     \
            "add $32, %[a6]\n"                                                                     \
            "add $32, %[a9]\n"                                                                     \
            "add $32, %[a12]\n"                                                                    \
            "add $1024, %[b]\n"                                                                    \
            "add $448, %[next]\n"                                                                  \
            "cmp (%[more]), %[b]\n"                                                                \
            "jnz 1b\n"                                                                             \
            "2:\n"                                                                                 \
            "cmpq $0, 8(%[more])\n"                                                                \
            "jz 4f\n"                                                                              \
            "3:\n"                                                                                 \
            Z_STEP(rows, 0)                                                                        \
            "add $4, %[a0]\n"                                                                      \
            "add $4, %[a3]\n"                                                                      \
            "add $4, %[a6]\n"                                                                      \
            "add $4, %[a9]\n"                                                                      \
            "add $4, %[a12]\n"                                                                     \
            "add $128, %[b]\n"                                                                     \
            "decq 8(%[more])\n"                                                                    \
            "jnz 3b\n"                                                                             \
            "4:\n"                                                                                 \
            "mov 32(%[more]), %[next]\n"                                                           \
            "test %[next], %[next]\n"                                                              \
            "jz 5f\n"                                                                              \
            Z_EACH(Z_ADD, rows)                                                                    \
            "5:\n"                                                                                 \
            "mov 16(%[more]), %[a0]\n"                                                             \
            "mov 24(%[more]), %[b]\n"                                                              \
            Z_EACH(Z_STORE, rows)                                                                  \
            "vzeroupper\n"                                                                         \
            : [a0] "+r"(a0), [a3] "+r"(a3), [a6] "+r"(a6), [a9] "+r"(a9),                          \
              [a12] "+r"(a12), [b] "+r"(b), [next] "+r"(next) kind##_OUTPUTS                       \
            : [lda] "r"(t->lda * 4), [more] "r"(more) kind##_INPUTS                                \
            : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",      \
              "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",                \
              "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",              \
              "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");             \
    }

Z_KERNEL(1, 1x32, PLAIN)
Z_KERNEL(2, 2x32, PLAIN)
Z_KERNEL(3, 3x32, PLAIN)
Z_KERNEL(4, 4x32, PLAIN)
Z_KERNEL(5, 5x32, PLAIN)
Z_KERNEL(6, 6x32, PLAIN)
Z_KERNEL(7, 7x32, PLAIN)
Z_KERNEL(8, 8x32, PLAIN)
Z_KERNEL(9, 9x32, PLAIN)
Z_KERNEL(10, 10x32, PLAIN)
Z_KERNEL(11, 11x32, PLAIN)
Z_KERNEL(12, 12x32, PLAIN)
Z_KERNEL(13, 13x32, PLAIN)
Z_KERNEL(14, 14x32, PLAIN)
Z_KERNEL(14, copying, COPYING)

static kernel_fn *const avx512_kernel[] = {
    avx512_1x32, avx512_2x32, avx512_3x32,  avx512_4x32,  avx512_5x32,  avx512_6x32,  avx512_7x32,
    avx512_8x32, avx512_9x32, avx512_10x32, avx512_11x32, avx512_12x32, avx512_13x32, avx512_14x32,
};

/* clang-format on */

/* -- Portable, 2x8: vectors of four, for any x86-64 and any compiler. -- */
typedef float f32x4 __attribute__((vector_size(16), aligned(4)));

static void portable(const struct tile *t, int rows)
{
    static const float zeros[8] = { 0 };
    const float *a0 = t->a, *a1 = rows > 1 ? t->a + t->lda : t->a;
    const f32x4 *b = (const f32x4 *)t->b;
    f32x4 c[4] = { { 0 } };

    for (int64_t p = 0; p < t->k; p++, b += 2) {
        c[0] += a0[p] * b[0];
        c[1] += a0[p] * b[1];
        c[2] += a1[p] * b[0];
        c[3] += a1[p] * b[1];
    }
    for (int r = 0; r < rows; r++) {
        f32x4 *to = (f32x4 *)(t->c + r * t->ldc);

        const f32x4 *sums = (const f32x4 *)(t->sums ? t->sums + r * 8 : zeros);

        to[0] = sums[0] + c[2 * r];
        to[1] = sums[1] + c[2 * r + 1];
    }
}

static void portable_1x8(const struct tile *t)
{
    portable(t, 1);
}
static void portable_2x8(const struct tile *t)
{
    portable(t, 2);
}

static kernel_fn *const portable_kernel[] = { portable_1x8, portable_2x8 };

#endif
