/* optimized_line_pairs - strips of 32 rows of x, so that two neighbouring lines of y are stored soon after each other, from
 * 16x16 blocks turned in AVX-512 registers.
 * Expected: optimized_streaming writes single lines that are a row of y apart, and memory likes none of them: what lies
 * between is fetched and sent by pairs of lines or longer. 128 bytes at a time are 1.2x from DRAM; 64 rows, 256 bytes, are more
 * streams of x than prefetchers follow, and lose it again.
 * Costs: AVX-512 (elsewhere this is optimized_streaming); up to 31 rows and 15 columns by the scalar loop. */
#include "streaming8.h"

enum { WIDE = 16, PAIR = 2 * WIDE };

#define AVX512 __attribute__((target("avx512f"), always_inline)) static inline

/* v[i] holds row i on entry and column i on return: neighbours, pairs, then quarters of a register change places, twice. */
AVX512 void turn16(__m512 v[WIDE])
{
    __m512 w[WIDE];

    for (int i = 0; i < WIDE; i += 2) {
        w[i] = _mm512_unpacklo_ps(v[i], v[i + 1]);
        w[i + 1] = _mm512_unpackhi_ps(v[i], v[i + 1]);
    }
    for (int i = 0; i < WIDE; i += 4) {
        v[i] = _mm512_shuffle_ps(w[i], w[i + 2], 0x44);
        v[i + 1] = _mm512_shuffle_ps(w[i], w[i + 2], 0xee);
        v[i + 2] = _mm512_shuffle_ps(w[i + 1], w[i + 3], 0x44);
        v[i + 3] = _mm512_shuffle_ps(w[i + 1], w[i + 3], 0xee);
    }
    for (int i = 0; i < WIDE; i += 8)
        for (int j = i; j < i + 4; j++) {
            w[j] = _mm512_shuffle_f32x4(v[j], v[j + 4], 0x88);
            w[j + 4] = _mm512_shuffle_f32x4(v[j], v[j + 4], 0xdd);
        }
    for (int i = 0; i < WIDE / 2; i++) {
        v[i] = _mm512_shuffle_f32x4(w[i], w[i + 8], 0x88);
        v[i + 8] = _mm512_shuffle_f32x4(w[i], w[i + 8], 0xdd);
    }
}

/* `stream` is a constant of each call site. */
AVX512 void turn_block(const int stream, const float *x, float *y, int64_t rows, int64_t cols)
{
    __m512 v[WIDE];

    for (int i = 0; i < WIDE; i++)
        v[i] = _mm512_loadu_ps(x + i * cols);
    turn16(v);
    for (int i = 0; i < WIDE; i++) {
        if (stream)
            _mm512_stream_ps(y + i * rows, v[i]);
        else
            _mm512_storeu_ps(y + i * rows, v[i]);
    }
}

/* Rows [0, r_end) by columns [0, c_end): whole strips and whole blocks. */
__attribute__((target("avx512f"))) static void turn_pairs(const float *x, float *y, int64_t rows, int64_t cols, int64_t r_end,
                                                          int64_t c_end)
{
    const int stream = rows % WIDE == 0 && (uintptr_t)y % LINE == 0 && rows * cols >= SMALL;

    for (int64_t r = 0; r < r_end; r += PAIR)
        for (int64_t c = 0; c < c_end; c += WIDE)
            for (int64_t part = r; part < r + PAIR; part += WIDE) {
                if (stream)
                    turn_block(1, x + part * cols + c, y + c * rows + part, rows, cols);
                else
                    turn_block(0, x + part * cols + c, y + c * rows + part, rows, cols);
            }
    _mm_sfence(); /* non-temporal stores are weakly ordered: done means visible */
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int64_t r_end = rows - rows % PAIR, c_end = cols - cols % WIDE;

    if (!__builtin_cpu_supports("avx512f"))
        return transpose_streaming8(call);
    turn_pairs(x, y, rows, cols, r_end, c_end);
    turn_edge(x, y, rows, cols, 0, r_end, c_end, cols);
    turn_edge(x, y, rows, cols, r_end, rows, 0, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: strips of 32 rows, so that lines of the output are stored by pairs (AVX-512)\n"
             "expect: cycles / 1.2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
