/* pairs.h - the kernel of optimized_pairs, in a header because optimized_quads falls back to it: both operands become 16 bits
 * wide while they are packed, two along k in a dword. */
#ifndef GEMM_INT8_PAIRS_H
#define GEMM_INT8_PAIRS_H

#include <aisp/variant.h>

#include "kit/packed_product.h"
#include "problem.h"

AISP_TILES_6X16(avx2_i16, Y_I16, "vpaddd");

enum { PORTABLE_ROWS = 2, PORTABLE_COLUMNS = 8 };

static void portable(const struct tile *t, int rows)
{
    for (int r = 0; r < rows; r++) {
        const int16_t *a = (const int16_t *)t->a + 2 * r * t->lda, *b = t->b;
        int32_t sum[PORTABLE_COLUMNS] = { 0 };

        if (t->sums)
            memcpy(sum, (const int32_t *)t->sums + r * PORTABLE_COLUMNS, sizeof sum);
        for (int64_t p = 0; p < t->k; p++, a += 2, b += 2 * PORTABLE_COLUMNS)
            for (int j = 0; j < PORTABLE_COLUMNS; j++)
                sum[j] += a[0] * b[2 * j] + a[1] * b[2 * j + 1];
        memcpy((int32_t *)t->c + r * t->ldc, sum, sizeof sum);
    }
}

static void portable_1(const struct tile *t)
{
    portable(t, 1);
}

static void portable_2(const struct tile *t)
{
    portable(t, 2);
}

static kernel_fn *const portable_kernel[] = { portable_1, portable_2 };

static void widen_a(struct part a, void *to, int64_t to_ld)
{
    for (int64_t r = 0; r < a.rows; r++) {
        const uint8_t *from = (const uint8_t *)a.at + r * a.ld;
        int16_t *row = (int16_t *)to + 2 * r * to_ld;

        for (int64_t p = 0; p < a.width; p++)
            row[p] = from[p];
        if (a.width % 2)
            row[a.width] = 0;
    }
}

/* Panels of nr columns: [p][2 j] and [p][2 j + 1] are rows 2p and 2p + 1 of column j. */
static inline void pair_rows(const int nr, struct part b, int16_t *to, int64_t panel)
{
    static const int8_t zeros[PRODUCT_GROUP] = { 0 };

    for (int64_t p = 0; p < b.rows; p += 2, to += 2 * nr) {
        const int8_t *even = (const int8_t *)b.at + p * b.ld, *odd = p + 1 < b.rows ? even + b.ld : zeros;

        for (int64_t x = 0; x < b.width; x += nr) {
            int16_t *words = to + x / nr * 2 * panel;
            const int64_t width = product_least(b.width - x, nr);

            for (int64_t j = 0; j < width; j++) {
                words[2 * j] = even[x + j];
                words[2 * j + 1] = odd[x + j];
            }
            memset(words + 2 * width, 0, (size_t)(nr - width) * 2 * sizeof *words);
        }
    }
}

static void pair_8(struct part b, void *to, int64_t panel)
{
    pair_rows(PORTABLE_COLUMNS, b, to, panel);
}

static void pair_16(struct part b, void *to, int64_t panel)
{
    pair_rows(16, b, to, panel);
}

static const struct product_kind portable_pairs = { .mr = PORTABLE_ROWS,
                                                    .nr = PORTABLE_COLUMNS,
                                                    .pack = 2,
                                                    .a_bytes = 1,
                                                    .b_bytes = 1,
                                                    .c_bytes = 4,
                                                    .kernel = portable_kernel,
                                                    .pack_a = widen_a,
                                                    .pack_b = pair_8 };

static const struct product_kind avx2_pairs = { .mr = 6,
                                                .nr = 16,
                                                .pack = 2,
                                                .a_bytes = 1,
                                                .b_bytes = 1,
                                                .c_bytes = 4,
                                                .kernel = avx2_i16_kernel,
                                                .pack_a = widen_a,
                                                .pack_b = pair_16 };

static inline const struct product_kind *pick_pairs(void)
{
    return __builtin_cpu_supports("avx2") ? &avx2_pairs : &portable_pairs;
}

static inline struct product product_of(const struct product_kind *kind, const int64_t *param)
{
    return (struct product){ .kind = kind, .m = param[M], .n = param[N], .k = param[K] };
}

static inline enum aisp_status multiply(const struct product_kind *kind, const struct aisp_call *call)
{
    struct product p = product_of(kind, call->param);

    p.a = call->tensor[A];
    p.b = call->tensor[B];
    p.c = call->tensor[C];
    p.workspace = call->workspace;
    product_run(&p);
    return AISP_OK;
}

#endif
