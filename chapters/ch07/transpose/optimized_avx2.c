/* optimized_avx2 - 8x8 blocks turned in registers, in strips of 16 rows of x: a whole line of y at
 * a time.
 * Expected: 16 loads and 16 stores of 32 bytes move 128 elements, instead of 128 of each: about 2x
 * the scalar tiles, then bound by the memory. Both halves of a line of y are written together, so
 * that no line has to survive in the cache, which a power of two would not allow. Panels of 256
 * columns: their pages of y stay in the TLB, and narrower ones read x in pieces too short for the
 * prefetchers. Costs: AVX2; edges by the scalar loop. */
#include <aisp/variant.h>

#include "problem.h"
#include "tile8.h"

enum { LANES = 8, STRIP = 2 * LANES, PANEL = 256 };

/* One strip of 16 rows by 8 columns of x. */
__attribute__((target("avx2"), always_inline)) static inline void
turn_strip(const float *x, float *y, int64_t rows, int64_t cols)
{
    __m256 upper[LANES], lower[LANES];

    for (int i = 0; i < LANES; i++) {
        upper[i] = _mm256_loadu_ps(x + i * cols);
        lower[i] = _mm256_loadu_ps(x + (LANES + i) * cols);
    }
    turn8(upper);
    turn8(lower);
    for (int i = 0; i < LANES; i++) {
        _mm256_storeu_ps(y + i * rows, upper[i]);
        _mm256_storeu_ps(y + i * rows + LANES, lower[i]);
    }
}

/* The part of x that is whole strips and whole blocks: rows [0, r_end) by columns [0, c_end). */
__attribute__((target("avx2"))) static void turn_blocks(const float *x, float *y, int64_t rows,
                                                        int64_t cols, int64_t r_end, int64_t c_end)
{
    for (int64_t c0 = 0; c0 < c_end; c0 += PANEL) {
        const int64_t c1 = c0 + PANEL < c_end ? c0 + PANEL : c_end;

        for (int64_t r = 0; r < r_end; r += STRIP)
            for (int64_t c = c0; c < c1; c += LANES)
                turn_strip(x + r * cols + c, y + c * rows + r, rows, cols);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2");
    const int64_t r_end = fast ? rows - rows % STRIP : 0, c_end = fast ? cols - cols % LANES : 0;

    if (fast)
        turn_blocks(x, y, rows, cols, r_end, c_end);
    turn_edge(x, y, rows, cols, 0, r_end, c_end, cols);
    turn_edge(x, y, rows, cols, r_end, rows, 0, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: 8x8 blocks turned in AVX2 registers, whole lines of the output at a time\n"
             "expect: instructions / 3");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
