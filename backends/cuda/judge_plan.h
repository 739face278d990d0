/* judge_plan.h - a fill worked out on the host, as a kernel takes it: an argument by value.
 * Not here: how a plan is made (backends/cuda/judge_plan.c), what is done with it (kernels.h).
 * Why worked out: bounds, deviations and formats are found once by the code that fills on the host,
 * so that the device repeats only what is done for each element. */
#ifndef AISP_CUDA_JUDGE_PLAN_H
#define AISP_CUDA_JUDGE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

/* What is computed for an element: the affine kinds are NORMAL, UNIFORM and SUBNORMAL. */
enum judge_how { JUDGE_AFFINE, JUDGE_INTEGERS, JUDGE_MASK, JUDGE_WIDE };

/* How an element is stored. The small floating types of one size differ in their format alone. */
enum judge_element {
    JUDGE_F64,
    JUDGE_F32,
    JUDGE_SMALL16,
    JUDGE_SMALL8,
    JUDGE_I64,
    JUDGE_I32,
    JUDGE_I16,
    JUDGE_I8
};

/* A floating type of 16 or 8 bits: codes as in core/judge/number.c. */
struct judge_format {
    int32_t mantissa, bias, bits;
    uint32_t max, over, inf, nan;
    uint32_t least; /* its smallest normal number as bits of an f32; 0 where f32 has no smaller */
    float steps;    /* smallest subnormals in 1 */
};

/* A fill. Wide elements are those of 8 bytes (core/judge/fill.c). */
struct judge_plan {
    uint32_t key[2], stream[2]; /* of Philox */
    int32_t how, element;       /* enum judge_how, enum judge_element */
    int32_t is_sum;             /* NORMAL and SUBNORMAL; else UNIFORM */
    int32_t is_subnormal;
    /* AFFINE: centre + t * scale, held in [low, high]. WIDE: exponents centre + v * scale. */
    double centre, scale, low, high;
    double tiny; /* what SUBNORMAL multiplies some elements by */
    /* INTEGERS: base + (u * range >> 64), range 0 standing for 2^64. MASK: 1 below `range`. */
    uint64_t base, range;
    struct judge_format format;
};

/* 64 bytes that are repeated: poison, canaries. */
struct judge_tile {
    uint64_t word[8];
};

struct aisp_filling;
/* False: there is no kernel for it (ZIPF, TEXT, PERMUTATION), the host makes it. */
bool judge_plan_make(const struct aisp_filling *what, struct judge_plan *plan);

#endif
