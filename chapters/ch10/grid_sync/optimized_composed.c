/* optimized_composed - four sweeps are one filter of nine taps, (1 8 28 56 70 56 28 8 1) / 256: the phases between are not
 * made.
 * Expected: from the first cache a sweep is bound by its loads, two of three of which lie across two lines every other time.
 * For four sweeps nine loads, 13 operations and one store a vector instead of 12, 16 and four, and no sweep waits for the
 * stores of the one before it: 1.4 to 2x over fused_simd.
 * Costs: another order of rounding, with fewer of them; near the ends of the line it goes sweep by sweep, and so does what
 * is left of a number of sweeps that four does not divide. More sweeps at once would gain less: 8 are 17 loads instead of
 * 18. */
#include "pieces.h"

__attribute__((always_inline)) static inline void four_body(const float *restrict x, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = 0x1p-8f * (x[i - 4] + x[i + 4]) + 0x8p-8f * (x[i - 3] + x[i + 3]) + 0x1cp-8f * (x[i - 2] + x[i + 2]) +
                0x38p-8f * (x[i - 1] + x[i + 1]) + 0x46p-8f * x[i];
}

static void four(const float *from, float *to, int64_t n, struct ends is_end)
{
    (void)is_end;
    four_body(from, to, n);
}

__attribute__((target("avx2"))) static void four_avx2(const float *from, float *to, int64_t n, struct ends is_end)
{
    (void)is_end;
    four_body(from, to, n);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    return __builtin_cpu_supports("avx2") ? pieces_setup(s, sweep_avx2, four_avx2) : pieces_setup(s, sweep, four);
}

AISP_DECLARE("idea: four sweeps are one filter of nine taps\n"
             "expect: instructions / 1.7\n"
             "uses: threads");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = pieces_workspace, .setup = setup, .run = pieces_run, .teardown = pieces_teardown,
};
