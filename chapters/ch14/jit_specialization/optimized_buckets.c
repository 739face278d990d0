/* optimized_buckets - kernels that the compiler has made for two vectors of columns and one to five rows; a shape is served
 * by those of its bucket, and one with more columns by the generic code.
 * Expected: ten sums live in registers, seven loads serve ten products instead of twenty, and no sum waits for itself, so
 * that a core that begins two a cycle does nearly that instead of one in two cycles: 3 to 4x of the vectors alone. depth
 * stays a loop, whose end is missed once a tile.
 * Costs: code for each bucket, most of it never used; what is outside of the buckets gains nothing. */
#include "tile.h"

/* All elements, in two vectors: of eight columns both are the same. */
__attribute__((target("avx2,fma"))) static void elements_of_two(const struct shape *s, const float *d, const float *u, float *y)
{
    const int64_t tiled = s->rows - s->rows % TILE_ROWS, depth = s->depth, cols = s->cols;

    for (int64_t e = 0; e < s->elements; e++, u += depth * cols, y += s->rows * cols) {
        const float *rest = d + tiled * depth;
        float *to = y + tiled * cols;

        for (int64_t r = 0; r < tiled; r += TILE_ROWS)
            tile(s, d + r * depth, u, y + r * cols, TILE_ROWS, 2);
        switch (s->rows - tiled) {
        case 4: tile(s, rest, u, to, 4, 2); break;
        case 3: tile(s, rest, u, to, 3, 2); break;
        case 2: tile(s, rest, u, to, 2, 2); break;
        case 1: tile(s, rest, u, to, 1, 2); break;
        default: break;
        }
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct shape s = shape_of(call->param);

    (has_lanes(&s) && s.cols <= TILE_VECTORS * LANES ? elements_of_two : elements_any)(&s, call->tensor[D], call->tensor[U],
                                                                                      call->tensor[Y]);
    return AISP_OK;
}

AISP_DECLARE("idea: kernels compiled for buckets of shapes\n"
             "expect: instructions / 2 of optimized_simd");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
