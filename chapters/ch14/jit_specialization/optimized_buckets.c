/* optimized_buckets - kernels that the compiler has made for one or two vectors of columns and one to five rows; a shape is
 * served by those of its bucket, and one with more columns by the generic code.
 * Expected: ten sums live in registers, seven loads serve ten products instead of twenty, and no sum waits for itself, so
 * that a core that begins two a cycle does nearly that instead of one in two cycles: 3 to 4x of the vectors alone. depth
 * stays a loop, whose end is missed once a tile.
 * Costs: code for each bucket, most of it never used; what is outside of the buckets gains nothing. */
#include "tile.h"

/* All elements; vectors and is_short are constants of the call. */
AVX2 void elements(const struct shape *s, const float *d, const float *u, float *y, const int vectors, const int is_short)
{
    const int64_t tiled = s->rows - s->rows % TILE_ROWS, depth = s->depth, cols = s->cols;
    const __m256i mask = mask_of(cols);

    for (int64_t e = 0; e < s->elements; e++, u += depth * cols, y += s->rows * cols) {
        for (int64_t r = 0; r < tiled; r += TILE_ROWS)
            tile(s, d + r * depth, u, y + r * cols, TILE_ROWS, vectors, is_short, mask);
        switch (s->rows - tiled) {
        case 4:
            tile(s, d + tiled * depth, u, y + tiled * cols, 4, vectors, is_short, mask);
            break;
        case 3:
            tile(s, d + tiled * depth, u, y + tiled * cols, 3, vectors, is_short, mask);
            break;
        case 2:
            tile(s, d + tiled * depth, u, y + tiled * cols, 2, vectors, is_short, mask);
            break;
        case 1:
            tile(s, d + tiled * depth, u, y + tiled * cols, 1, vectors, is_short, mask);
            break;
        default:
            break;
        }
    }
}

__attribute__((target("avx2,fma"))) static void elements_short(const struct shape *s, const float *d, const float *u, float *y)
{
    elements(s, d, u, y, 1, 1);
}

__attribute__((target("avx2,fma"))) static void elements_one_vector(const struct shape *s, const float *d, const float *u,
                                                                         float *y)
{
    elements(s, d, u, y, 1, 0);
}

__attribute__((target("avx2,fma"))) static void elements_two_vectors(const struct shape *s, const float *d, const float *u,
                                                                          float *y)
{
    elements(s, d, u, y, 2, 0);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct shape s = shape_of(call->param);
    const float *d = call->tensor[D], *u = call->tensor[U];
    float *y = call->tensor[Y];

    if (!has_avx2() || s.cols > 2 * LANES)
        elements_any(&s, d, u, y);
    else if (s.cols > LANES)
        elements_two_vectors(&s, d, u, y);
    else if (s.cols == LANES)
        elements_one_vector(&s, d, u, y);
    else
        elements_short(&s, d, u, y);
    return AISP_OK;
}

AISP_DECLARE("idea: kernels compiled for buckets of shapes\n"
             "expect: instructions / 2 of optimized_simd");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
