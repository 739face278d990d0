/* tiles.h - register tiles of matrix products: one family for each type and instruction set, one kernel in it for each
 * number of rows. A dword of an operand is one f32, a pair of bf16 or i16, or four bytes, which follow each other along k;
 * a dword of the result is an f32 or an i32. Which instruction multiplies them is all that differs: AISP_TILES_6X16 and
 * AISP_TILES_14X32 make a family of it, of which a file takes the ones it needs.
 * Not here: packing, blocking, the choice of a family (packed_product.h; ch09:gemm_ladder has its own).
 * Why assembly: an accumulator that a compiler spills costs more than all else that is won. */
#ifndef AISP_KIT_TILES_H
#define AISP_KIT_TILES_H

#include <stdint.h>

/* What one kernel call works on, counted in dwords. Rows of a are lda apart, c's ldc; b, aligned to 64 bytes, and sums are
 * packed: rows of nr. */
struct tile {
    const void *a;
    int64_t lda;
    const void *b;
    int64_t k;
    void *c;
    int64_t ldc;
    const void *sums;   /* NULL: c = a b, else c = sums + a b */
    const void *next_a; /* read by the next call: prefetched */
    /* For a copying kernel: it copies k / 8 pieces of nr dwords as well. They follow each other in
     * a row of the source, and are to_ld apart where they go; after `left` of them comes the next
     * row, of `pieces`, from_ld and to_row behind this one. */
    const void *from;
    void *to;
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
    (int64_t)(t)->b + (t)->k / 8 * 8 * nr * 4, (t)->k % 8, (int64_t)(t)->c, (t)->ldc * 4,          \
        (int64_t)(t)->sums
#define PLAIN_OUTPUTS
#define PLAIN_INPUTS

#define COPYING_MORE(t, nr)                                                                        \
    PLAIN_MORE(t, nr), (int64_t)(t)->from + (t)->left * nr * 4,                                    \
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
#define Y_F32(a_at, v, lo, hi)                                                                     \
    "vbroadcastss " a_at ", %%ymm" v "\n"                                                          \
    "vfmadd231ps %%ymm12, %%ymm" v ", %%ymm" lo "\n"                                               \
    "vfmadd231ps %%ymm13, %%ymm" v ", %%ymm" hi "\n"

/* A pair of i16 in each dword: two products and their sum, added to an i32. There is no register left for another row of a. */
#define Y_I16(a_at, v, lo, hi)                                                                     \
    "vpbroadcastd " a_at ", %%ymm14\n"                                                             \
    "vpmaddwd %%ymm12, %%ymm14, %%ymm15\n"                                                         \
    "vpaddd %%ymm15, %%ymm" lo ", %%ymm" lo "\n"                                                   \
    "vpmaddwd %%ymm13, %%ymm14, %%ymm15\n"                                                         \
    "vpaddd %%ymm15, %%ymm" hi ", %%ymm" hi "\n"

#define Y_STEP(rows, p, MULTIPLY)                                                                  \
    "vmovaps " #p "*64(%[b]), %%ymm12\n"                                                           \
    "vmovaps " #p "*64+32(%[b]), %%ymm13\n"                                                        \
    IF(rows, 0, MULTIPLY(#p "*4(%[a0])", "14", "0", "1"))                                          \
    IF(rows, 1, MULTIPLY(#p "*4(%[a0],%[lda])", "15", "2", "3"))                                   \
    IF(rows, 2, MULTIPLY(#p "*4(%[a0],%[lda],2)", "14", "4", "5"))                                 \
    IF(rows, 3, MULTIPLY(#p "*4(%[a3])", "15", "6", "7"))                                          \
    IF(rows, 4, MULTIPLY(#p "*4(%[a3],%[lda])", "14", "8", "9"))                                   \
    IF(rows, 5, MULTIPLY(#p "*4(%[a3],%[lda],2)", "15", "10", "11"))

#define Y_ZERO(rows, r, lo, hi, add)                                                               \
    IF(rows, r, "vxorps %%xmm" lo ", %%xmm" lo ", %%xmm" lo "\n"                                   \
                "vxorps %%xmm" hi ", %%xmm" hi ", %%xmm" hi "\n")

#define Y_ADD(rows, r, lo, hi, add)                                                                \
    IF(rows, r, add " " #r "*64(%[next]), %%ymm" lo ", %%ymm" lo "\n"                              \
                add " " #r "*64+32(%[next]), %%ymm" hi ", %%ymm" hi "\n")

#define Y_STORE(rows, r, lo, hi, add)                                                              \
    IF(rows, r, "vmovups %%ymm" lo ", (%[a0])\n" "vmovups %%ymm" hi ", 32(%[a0])\n"                \
                "add %[b], %[a0]\n")

#define Y_EACH(what, rows, add)                                                                    \
    what(rows, 0, "0", "1", add) what(rows, 1, "2", "3", add)                                      \
    what(rows, 2, "4", "5", add) what(rows, 3, "6", "7", add)                                      \
    what(rows, 4, "8", "9", add) what(rows, 5, "10", "11", add)

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

#define Y_KERNEL(rows, name, kind, MULTIPLY, add)                                                  \
    static void name(const struct tile *t)                                                         \
    {                                                                                              \
        const char *a0 = t->a, *a3 = a0 + 12 * t->lda, *b = t->b, *next = t->next_a;               \
        const void *from = t->from;                                                                \
        void *to = t->to;                                                                          \
        int64_t more[] = { kind##_MORE(t, 16) };                                                   \
                                                                                                   \
        (void)from, (void)to; /* not in a plain one */                                             \
                                                                                                   \
        __asm__ volatile(                                                                          \
            Y_EACH(Y_ZERO, rows, add)                                                              \
            "cmp (%[more]), %[b]\n"                                                                \
            "jz 2f\n"                                                                              \
            ".p2align 6\n"                                                                         \
            "1:\n"                                                                                 \
            "prefetcht0 (%[next])\n"                                                               \
            Y_STEP(rows, 0, MULTIPLY) Y_STEP(rows, 1, MULTIPLY) Y_STEP(rows, 2, MULTIPLY)          \
            "prefetcht0 64(%[next])\n"                                                             \
            Y_STEP(rows, 3, MULTIPLY) Y_STEP(rows, 4, MULTIPLY) Y_STEP(rows, 5, MULTIPLY)          \
            "prefetcht0 128(%[next])\n"                                                            \
            Y_STEP(rows, 6, MULTIPLY) Y_STEP(rows, 7, MULTIPLY) Y_##kind                           \
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
            Y_STEP(rows, 0, MULTIPLY)                                                              \
            "add $4, %[a0]\n"                                                                      \
            "add $4, %[a3]\n"                                                                      \
            "add $64, %[b]\n"                                                                      \
            "decq 8(%[more])\n"                                                                    \
            "jnz 3b\n"                                                                             \
            "4:\n"                                                                                 \
            "mov 32(%[more]), %[next]\n"                                                           \
            "test %[next], %[next]\n"                                                              \
            "jz 5f\n"                                                                              \
            Y_EACH(Y_ADD, rows, add)                                                               \
            "5:\n"                                                                                 \
            "mov 16(%[more]), %[a0]\n"                                                             \
            "mov 24(%[more]), %[b]\n"                                                              \
            Y_EACH(Y_STORE, rows, add)                                                             \
            "vzeroupper\n"                                                                         \
            : [a0] "+r"(a0), [a3] "+r"(a3), [b] "+r"(b), [next] "+r"(next) kind##_OUTPUTS          \
            : [lda] "r"(t->lda * 4), [more] "r"(more) kind##_INPUTS                                \
            : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",      \
              "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");               \
    }

/* family_kernel[rows - 1], rows 1 .. 6. */
#define AISP_TILES_6X16(family, MULTIPLY, add)                                                     \
    Y_KERNEL(1, family##_1, PLAIN, MULTIPLY, add)                                                  \
    Y_KERNEL(2, family##_2, PLAIN, MULTIPLY, add)                                                  \
    Y_KERNEL(3, family##_3, PLAIN, MULTIPLY, add)                                                  \
    Y_KERNEL(4, family##_4, PLAIN, MULTIPLY, add)                                                  \
    Y_KERNEL(5, family##_5, PLAIN, MULTIPLY, add)                                                  \
    Y_KERNEL(6, family##_6, PLAIN, MULTIPLY, add)                                                  \
    static kernel_fn *const family##_kernel[] = {                                                  \
        family##_1, family##_2, family##_3, family##_4, family##_5, family##_6,                    \
    }

/* -- AVX-512, 14x32: accumulators zmm0-27 (two a row), b in zmm28-29, a in zmm30-31; the same text
 * in wider registers. -- */
#define Z_MULTIPLY(multiply, a_at, v, lo, hi)                                                      \
    "vbroadcastss " a_at ", %%zmm" v "\n"                                                          \
    multiply " %%zmm28, %%zmm" v ", %%zmm" lo "\n"                                                 \
    multiply " %%zmm29, %%zmm" v ", %%zmm" hi "\n"

#define Z_STEP(rows, p, multiply)                                                                  \
    "vmovaps " #p "*128(%[b]), %%zmm28\n"                                                          \
    "vmovaps " #p "*128+64(%[b]), %%zmm29\n"                                                       \
    IF(rows, 0, Z_MULTIPLY(multiply, #p "*4(%[a0])", "30", "0", "1"))                              \
    IF(rows, 1, Z_MULTIPLY(multiply, #p "*4(%[a0],%[lda])", "31", "2", "3"))                       \
    IF(rows, 2, Z_MULTIPLY(multiply, #p "*4(%[a0],%[lda],2)", "30", "4", "5"))                     \
    IF(rows, 3, Z_MULTIPLY(multiply, #p "*4(%[a3])", "31", "6", "7"))                              \
    IF(rows, 4, Z_MULTIPLY(multiply, #p "*4(%[a3],%[lda])", "30", "8", "9"))                       \
    IF(rows, 5, Z_MULTIPLY(multiply, #p "*4(%[a3],%[lda],2)", "31", "10", "11"))                   \
    IF(rows, 6, Z_MULTIPLY(multiply, #p "*4(%[a6])", "30", "12", "13"))                            \
    IF(rows, 7, Z_MULTIPLY(multiply, #p "*4(%[a6],%[lda])", "31", "14", "15"))                     \
    IF(rows, 8, Z_MULTIPLY(multiply, #p "*4(%[a6],%[lda],2)", "30", "16", "17"))                   \
    IF(rows, 9, Z_MULTIPLY(multiply, #p "*4(%[a9])", "31", "18", "19"))                            \
    IF(rows, 10, Z_MULTIPLY(multiply, #p "*4(%[a9],%[lda])", "30", "20", "21"))                    \
    IF(rows, 11, Z_MULTIPLY(multiply, #p "*4(%[a9],%[lda],2)", "31", "22", "23"))                  \
    IF(rows, 12, Z_MULTIPLY(multiply, #p "*4(%[a12])", "30", "24", "25"))                          \
    IF(rows, 13, Z_MULTIPLY(multiply, #p "*4(%[a12],%[lda])", "31", "26", "27"))

#define Z_ZERO(rows, r, lo, hi, add)                                                               \
    IF(rows, r, "vpxord %%zmm" lo ", %%zmm" lo ", %%zmm" lo "\n"                                   \
                "vpxord %%zmm" hi ", %%zmm" hi ", %%zmm" hi "\n")

#define Z_ADD(rows, r, lo, hi, add)                                                                \
    IF(rows, r, add " " #r "*128(%[next]), %%zmm" lo ", %%zmm" lo "\n"                             \
                add " " #r "*128+64(%[next]), %%zmm" hi ", %%zmm" hi "\n")

#define Z_STORE(rows, r, lo, hi, add)                                                              \
    IF(rows, r, "vmovups %%zmm" lo ", (%[a0])\n" "vmovups %%zmm" hi ", 64(%[a0])\n"                \
                "add %[b], %[a0]\n")

#define Z_EACH(what, rows, add)                                                                    \
    what(rows, 0, "0", "1", add) what(rows, 1, "2", "3", add)                                      \
    what(rows, 2, "4", "5", add) what(rows, 3, "6", "7", add)                                      \
    what(rows, 4, "8", "9", add) what(rows, 5, "10", "11", add)                                    \
    what(rows, 6, "12", "13", add) what(rows, 7, "14", "15", add)                                  \
    what(rows, 8, "16", "17", add) what(rows, 9, "18", "19", add)                                  \
    what(rows, 10, "20", "21", add) what(rows, 11, "22", "23", add)                                \
    what(rows, 12, "24", "25", add) what(rows, 13, "26", "27", add)

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

#define Z_KERNEL(rows, name, kind, features, multiply, add)                                        \
    __attribute__((target(features))) static void name(const struct tile *t)                       \
    {                                                                                              \
        const char *a0 = t->a, *a3 = a0 + 12 * t->lda, *a6 = a3 + 12 * t->lda;                     \
        const char *a9 = a6 + 12 * t->lda, *a12 = a9 + 12 * t->lda, *b = t->b, *next = t->next_a;  \
        const void *from = t->from;                                                                \
        void *to = t->to;                                                                          \
        int64_t more[] = { kind##_MORE(t, 32) };                                                   \
                                                                                                   \
        (void)from, (void)to; /* not in a plain one */                                             \
                                                                                                   \
        __asm__ volatile(                                                                          \
            Z_EACH(Z_ZERO, rows, add)                                                              \
            "cmp (%[more]), %[b]\n"                                                                \
            "jz 2f\n"                                                                              \
            ".p2align 6\n"                                                                         \
            "1:\n"                                                                                 \
            Z_STEP(rows, 0, multiply) "prefetcht0 0(%[next])\n"                                    \
            Z_STEP(rows, 1, multiply) "prefetcht0 64(%[next])\n"                                   \
            Z_STEP(rows, 2, multiply) "prefetcht0 128(%[next])\n"                                  \
            Z_STEP(rows, 3, multiply) "prefetcht0 192(%[next])\n"                                  \
            Z_STEP(rows, 4, multiply) "prefetcht0 256(%[next])\n"                                  \
            Z_STEP(rows, 5, multiply) "prefetcht0 320(%[next])\n"                                  \
            Z_STEP(rows, 6, multiply) "prefetcht0 384(%[next])\n"                                  \
            Z_STEP(rows, 7, multiply) Z_##kind                                                     \
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
            Z_STEP(rows, 0, multiply)                                                              \
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
            Z_EACH(Z_ADD, rows, add)                                                               \
            "5:\n"                                                                                 \
            "mov 16(%[more]), %[a0]\n"                                                             \
            "mov 24(%[more]), %[b]\n"                                                              \
            Z_EACH(Z_STORE, rows, add)                                                             \
            "vzeroupper\n"                                                                         \
            : [a0] "+r"(a0), [a3] "+r"(a3), [a6] "+r"(a6), [a9] "+r"(a9),                          \
              [a12] "+r"(a12), [b] "+r"(b), [next] "+r"(next) kind##_OUTPUTS                       \
            : [lda] "r"(t->lda * 4), [more] "r"(more) kind##_INPUTS                                \
            : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",      \
              "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",                \
              "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",              \
              "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");             \
    }

/* family_kernel[rows - 1], rows 1 .. 14. */
#define AISP_TILES_14X32(family, features, multiply, add)                                          \
    Z_KERNEL(1, family##_1, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(2, family##_2, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(3, family##_3, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(4, family##_4, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(5, family##_5, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(6, family##_6, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(7, family##_7, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(8, family##_8, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(9, family##_9, PLAIN, features, multiply, add)                                        \
    Z_KERNEL(10, family##_10, PLAIN, features, multiply, add)                                      \
    Z_KERNEL(11, family##_11, PLAIN, features, multiply, add)                                      \
    Z_KERNEL(12, family##_12, PLAIN, features, multiply, add)                                      \
    Z_KERNEL(13, family##_13, PLAIN, features, multiply, add)                                      \
    Z_KERNEL(14, family##_14, PLAIN, features, multiply, add)                                      \
    static kernel_fn *const family##_kernel[] = {                                                  \
        family##_1, family##_2, family##_3, family##_4, family##_5, family##_6, family##_7,        \
        family##_8, family##_9, family##_10, family##_11, family##_12, family##_13, family##_14,   \
    }

/* clang-format on */

/* -- Portable, 2x8, f32: vectors of four, for any x86-64 and any compiler. -- */
typedef float f32x4 __attribute__((vector_size(16), aligned(4)));

static void portable_f32(const struct tile *t, int rows)
{
    static const float zeros[8] = { 0 };
    const float *a0 = t->a, *a1 = rows > 1 ? a0 + t->lda : a0;
    const f32x4 *b = t->b;
    f32x4 c[4] = { { 0 } };

    for (int64_t p = 0; p < t->k; p++, b += 2) {
        c[0] += a0[p] * b[0];
        c[1] += a0[p] * b[1];
        c[2] += a1[p] * b[0];
        c[3] += a1[p] * b[1];
    }
    for (int r = 0; r < rows; r++) {
        f32x4 *to = (f32x4 *)((float *)t->c + r * t->ldc);

        const f32x4 *sums = (const f32x4 *)(t->sums ? (const float *)t->sums + r * 8 : zeros);

        to[0] = sums[0] + c[2 * r];
        to[1] = sums[1] + c[2 * r + 1];
    }
}

static void portable_f32_1(const struct tile *t)
{
    portable_f32(t, 1);
}
static void portable_f32_2(const struct tile *t)
{
    portable_f32(t, 2);
}

static kernel_fn *const portable_f32_kernel[] = { portable_f32_1, portable_f32_2 };

#endif
