/* layer.cuh - y = x w' on a card: what the baseline and the fixtures share. x (batch, in), w (out, in), y (batch, out), f32. */
#ifndef TESTS_PROBLEMS_LAYER_CUH
#define TESTS_PROBLEMS_LAYER_CUH

#include <aisp/kernel_kit.cuh>

enum { X, W, Y };
enum { BATCH, IN, OUT };
enum { THREADS = 128 };

struct shape { int64_t batch, in, out; };

static inline struct shape shape_of(const struct aisp_call *c)
{
    return { c->param[BATCH], c->param[IN], c->param[OUT] };
}

__device__ static inline float dot(const float *a, const float *b, int64_t n)
{
    float sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* element - of a matrix (rows, columns), 0 outside of it. */
__device__ static inline float element(const float *a, int64_t row, int64_t column, int64_t rows, int64_t columns)
{
    return row < rows && column < columns ? a[row * columns + column] : 0;
}

/* multiply_tf32 - d (16, 8) = a (16, 8) b (8, 8) + d, one warp, factors already rounded to tf32. Fragments as PTX numbers them: with
 * g = lane / 4 and t = lane % 4, a[i] is row g + 8 (i % 2), column t + 4 (i / 2); b[i] is row t + 4 i, column g; d[i] is row
 * g + 8 (i / 2), column 2 t + i % 2. Source: PTX ISA, mma.m16n8k8. */
__device__ static inline void multiply_tf32(float d[4], const uint32_t a[4], const uint32_t b[2])
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* The 11 bits of tf32, nearest. */
__device__ static inline float to_tf32(float value)
{
    uint32_t bits;

    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return __uint_as_float(bits);
}

/* The warp's tile of y begins here. */
__device__ static inline void store_tile(float *y, const float d[4], int64_t row, int64_t column, struct shape s)
{
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;

    for (int i = 0; i < 4; i++) {
        const int64_t r = row + g + 8 * (i / 2), c = column + 2 * t + i % 2;

        if (r < s.batch && c < s.out)
            y[r * s.out + c] = d[i];
    }
}

#define VARIANT(f) AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = f, .teardown = NULL }
#define VARIANT_WITH_SETUP(s, f) AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = s, .run = f, .teardown = NULL }

#endif
