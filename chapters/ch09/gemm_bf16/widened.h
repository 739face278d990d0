/* widened.h - the kernel of optimized_widened, in a header because optimized_avx512bf16 falls back to it on other CPUs.
 * Operands are widened to f32 while they are packed for the register tiles of f32 (kit/packed_product.h). */
#ifndef GEMM_BF16_WIDENED_H
#define GEMM_BF16_WIDENED_H

#include <aisp/variant.h>

#include "bf16.h"
#include "kit/packed_product.h"
#include "problem.h"

AISP_TILES_6X16(avx2_f32, Y_F32, "vaddps");
AISP_TILES_14X32(avx512_f32, "avx512f", "vfmadd231ps", "vaddps");

#define INLINE __attribute__((always_inline)) static inline

/* The same text for each instruction set, which a function's `target` decides. */
INLINE void widen_row(const uint16_t *from, int64_t width, float *to)
{
    for (int64_t i = 0; i < width; i++)
        to[i] = bf16_to_f32(from[i]);
}

static void widen_a(struct part a, void *to, int64_t to_ld)
{
    for (int64_t r = 0; r < a.rows; r++)
        widen_row((const uint16_t *)a.at + r * a.ld, a.width, (float *)to + r * to_ld);
}

INLINE void widen_panels(const int nr, struct part b, float *to, int64_t panel)
{
    for (int64_t p = 0; p < b.rows; p++, to += nr) {
        const uint16_t *row = (const uint16_t *)b.at + p * b.ld;
        int64_t x = 0;

        __builtin_prefetch(row + 8 * b.ld); /* rows may lie in pages of their own; past the end it is harmless */
        __builtin_prefetch(row + 8 * b.ld + 32);
        for (; x + nr <= b.width; x += nr)
            widen_row(row + x, nr, to + x / nr * panel);
        if (x < b.width) {
            memset(to + x / nr * panel, 0, (size_t)nr * sizeof *to);
            widen_row(row + x, b.width - x, to + x / nr * panel);
        }
    }
}

INLINE void round_rows(const int nr, const float *sums, int rows, int64_t width, uint16_t *c, int64_t ldc)
{
    for (int r = 0; r < rows; r++, sums += nr, c += ldc) {
        if (width < nr) {
            for (int64_t j = 0; j < width; j++)
                c[j] = bf16_from_f32(sums[j]);
            continue;
        }
        for (int j = 0; j < nr; j++)
            c[j] = bf16_from_f32(sums[j]);
    }
}

/* What a kind needs of its own, for tiles of nr columns. */
#define STEPS(isa, nr, features)                                                                                \
    features static void isa##_widen_b(struct part b, void *to, int64_t panel)                                  \
    {                                                                                                           \
        widen_panels(nr, b, to, panel);                                                                         \
    }                                                                                                           \
    features static void isa##_round(const void *sums, int rows, int64_t width, void *c, int64_t ldc)           \
    {                                                                                                           \
        round_rows(nr, sums, rows, width, c, ldc);                                                              \
    }

STEPS(portable, 8, )
STEPS(avx2, 16, __attribute__((target("avx2"))))
STEPS(avx512, 32, __attribute__((target("avx512f,avx512bw,avx512vl"))))

#define WIDENED(isa, rows, columns)                                                                             \
    {                                                                                                           \
        .mr = rows, .nr = columns, .pack = 1, .a_bytes = 2, .b_bytes = 2, .c_bytes = 2,                         \
        .kernel = isa##_f32_kernel, .pack_a = widen_a, .pack_b = isa##_widen_b, .finish = isa##_round           \
    }

static const struct product_kind portable_widened = WIDENED(portable, 2, 8);
static const struct product_kind avx2_widened = WIDENED(avx2, 6, 16);
static const struct product_kind avx512_widened = WIDENED(avx512, 14, 32);

static inline const struct product_kind *pick_widened(void)
{
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return &avx512_widened;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2_widened;
    return &portable_widened;
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
