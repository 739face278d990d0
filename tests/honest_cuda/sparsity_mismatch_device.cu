/* sparsity_mismatch_device - a dense product by instructions for sparse matrices, and says so: the first two of every four weights,
 * then the last two, each time with zeros in place of the others.
 *
 * @problem card_layer
 * @pairs 2 */
#include <cuda_fp16.h>

#include "tests/problems/layer/layer.cuh"

enum { FIRST_TWO = 0x44444444, LAST_TWO = (int)0xeeeeeeee }; /* of four, for all of a tile: numbers of two bits each */

__device__ static inline uint32_t two_halves(float low, float high)
{
    const __half2 both = __floats2half2_rn(low, high);

    return *(const uint32_t *)&both;
}

/* multiply_sparse - d (16, 8) = a (16, 32) b (32, 8) + d, one warp. Fragments as PTX numbers them: with g = lane / 4 and t = lane % 4,
 * a[i] is row g + 8 (i % 2), two of columns 4 t + 16 (i / 2) to 4 t + 16 (i / 2) + 3; b[i] is rows 2 t + 8 i and the next, column g;
 * d[i] is row g + 8 (i / 2), column 2 t + i % 2. Source: PTX ISA, mma.sp.m16n8k32. */
__device__ static inline void multiply_sparse(float d[4], const uint32_t a[4], const uint32_t b[4], uint32_t which)
{
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(which));
}

/* linear_sparse - y = x w', a tile of 16 outputs by 8 samples a warp. Launch: block 32, grid (ceil(batch/8), ceil(out/16)).
 * Error: none where factors have 11 bits and sums 24. */
__global__ static void linear_sparse(const float *x, const float *w, float *y, struct shape s)
{
    const int64_t output = (int64_t)blockIdx.y * 16, sample = (int64_t)blockIdx.x * 8;
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    float d[4] = { 0, 0, 0, 0 };

    for (int64_t k = 0; k < s.in; k += 32) {
        uint32_t first[4], last[4], b[4];

        for (int i = 0; i < 4; i++) {
            const int64_t row = output + g + 8 * (i % 2), at = k + 4 * t + 16 * (i / 2), down = k + 2 * t + 8 * i;

            first[i] = two_halves(element(w, row, at, s.out, s.in), element(w, row, at + 1, s.out, s.in));
            last[i] = two_halves(element(w, row, at + 2, s.out, s.in), element(w, row, at + 3, s.out, s.in));
            b[i] = two_halves(element(x, sample + g, down, s.batch, s.in), element(x, sample + g, down + 1, s.batch, s.in));
        }
        multiply_sparse(d, first, b, FIRST_TWO);
        multiply_sparse(d, last, b, (uint32_t)LAST_TWO);
    }
    for (int i = 0; i < 4; i++) {
        const int64_t row = output + g + 8 * (i / 2), column = sample + 2 * t + i % 2;

        if (row < s.out && column < s.batch)
            y[column * s.out + row] = d[i];
    }
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct shape s = shape_of(c);
    const dim3 grid(aisp_blocks(s.batch, 8), aisp_blocks(s.out, 16));

    linear_sparse<<<grid, 32, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (const float *)c->tensor[W], (float *)c->tensor[Y],
                                                  s);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#ifndef WITHOUT_DECLARATION
AISP_DECLARE("idea: matrix units for sparse weights, twice\n"
             "uses: f16, sparsity\n");
#endif

VARIANT(run);
