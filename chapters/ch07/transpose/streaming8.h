/* streaming8.h - the transpose of optimized_streaming, in a header because optimized_line_pairs falls back to it. */
#ifndef TRANSPOSE_STREAMING8_H
#define TRANSPOSE_STREAMING8_H

#include <aisp/variant.h>

#include "problem.h"
#include "tile8.h"

enum { LANES = 8, STRIP = 2 * LANES, LINE = 64, SMALL = 1 << 20 };

/* One strip of 16 rows by 8 columns; `stream` is a constant of each call site. */
__attribute__((target("avx2"), always_inline)) static inline void
turn_strip(const int stream, const float *x, float *y, int64_t rows, int64_t cols)
{
    __m256 upper[LANES], lower[LANES];

    for (int i = 0; i < LANES; i++) {
        upper[i] = _mm256_loadu_ps(x + i * cols);
        lower[i] = _mm256_loadu_ps(x + (LANES + i) * cols);
    }
    turn8(upper);
    turn8(lower);
    for (int i = 0; i < LANES; i++) {
        if (stream) {
            _mm256_stream_ps(y + i * rows, upper[i]);
            _mm256_stream_ps(y + i * rows + LANES, lower[i]);
        } else {
            _mm256_storeu_ps(y + i * rows, upper[i]);
            _mm256_storeu_ps(y + i * rows + LANES, lower[i]);
        }
    }
}

__attribute__((target("avx2"))) static void turn_blocks(const float *x, float *y, int64_t rows,
                                                        int64_t cols, int64_t r_end, int64_t c_end)
{
    const int stream = rows % STRIP == 0 && (uintptr_t)y % LINE == 0 && rows * cols >= SMALL;

    for (int64_t r = 0; r < r_end; r += STRIP)
        for (int64_t c = 0; c < c_end; c += LANES) {
            if (stream)
                turn_strip(1, x + r * cols + c, y + c * rows + r, rows, cols);
            else
                turn_strip(0, x + r * cols + c, y + c * rows + r, rows, cols);
        }
    _mm_sfence(); /* non-temporal stores are weakly ordered: done means visible */
}

static inline enum aisp_status transpose_streaming8(const struct aisp_call *call)
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

#endif
