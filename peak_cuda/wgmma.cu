/* wgmma.cu - what Hopper's matrix units do at most: warpgroup instructions back to back, all operands waiting in shared memory.
 *
 * A block is two warpgroups that multiply a tile of 128 x 256, each 64 rows of it, as the fastest matrix products do. Its stages
 * (A: 128 rows, B: 256 rows, each of 128 bytes of k, swizzled as the copy engine would leave them) are filled once with random
 * elements and then gone through again and again; each tile begins from zero, as a product with k of 512 instructions would.
 * What is left out of a product is moving its operands, so nothing but the units and their power can be the limit.
 * Not here: cards without warpgroup instructions (mma.cu). */
#include "peak_cuda/matrix.cuh"
#include "peak_cuda/number.cuh"

#include <stdlib.h>

enum { STAGES = 4, ROWS_A = 128, ROWS_B = 256, ROW_BYTES = 128, STAGE_BYTES = (ROWS_A + ROWS_B) * ROW_BYTES };
enum { STEPS = 4, ROUNDS = 32, THREADS = 256, SUMS = 128 };       /* steps of 32 bytes of k in a stage; sums of a thread */
enum { SHARED_BYTES = STAGES * STAGE_BYTES, TILES = 32 };

/* The element of a stage's row; rows of B follow those of A. */
__host__ __device__ static inline uint64_t index_of(int type, int stage, int row, int k)
{
    return ((uint64_t)stage * (ROWS_A + ROWS_B) + row) * (ROW_BYTES / peak_type_bytes(type)) + k;
}

/* Where a byte of a tile of rows of 128 bytes lies with the 128-byte swizzle: bits 4 to 6 of its place, xor bits 7 to 9. */
__host__ __device__ static inline int swizzled(int at)
{
    return at ^ (at >> 3 & 0x70);
}

/* All stages as they lie in shared memory. data: SHARED_BYTES. */
__global__ static void fill_stages(uint32_t *data, int type)
{
    for (int at = 4 * (blockIdx.x * blockDim.x + threadIdx.x); at < SHARED_BYTES; at += 4 * gridDim.x * blockDim.x) {
        const int stage = at / STAGE_BYTES, inside = at % STAGE_BYTES, k = inside % ROW_BYTES / peak_type_bytes(type);

        data[(stage * STAGE_BYTES + swizzled(inside)) / 4] = peak_word(type, index_of(type, stage, inside / ROW_BYTES, k));
    }
}

/* ---- instructions: defined away where the code is made for other cards ---- */

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define WGMMA_BODY(c, d, a, b, keeps, instruction, tail)                                                          \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %130, 0; " instruction " {"                                      \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, " \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127" \
    "}, %128, %129, p" tail "; }"                                                                                \
    : c(d[0]), c(d[1]), c(d[2]), c(d[3]), c(d[4]), c(d[5]), c(d[6]), c(d[7]), \
    c(d[8]), c(d[9]), c(d[10]), c(d[11]), c(d[12]), c(d[13]), c(d[14]), c(d[15]), \
    c(d[16]), c(d[17]), c(d[18]), c(d[19]), c(d[20]), c(d[21]), c(d[22]), c(d[23]), \
    c(d[24]), c(d[25]), c(d[26]), c(d[27]), c(d[28]), c(d[29]), c(d[30]), c(d[31]), \
    c(d[32]), c(d[33]), c(d[34]), c(d[35]), c(d[36]), c(d[37]), c(d[38]), c(d[39]), \
    c(d[40]), c(d[41]), c(d[42]), c(d[43]), c(d[44]), c(d[45]), c(d[46]), c(d[47]), \
    c(d[48]), c(d[49]), c(d[50]), c(d[51]), c(d[52]), c(d[53]), c(d[54]), c(d[55]), \
    c(d[56]), c(d[57]), c(d[58]), c(d[59]), c(d[60]), c(d[61]), c(d[62]), c(d[63]), \
    c(d[64]), c(d[65]), c(d[66]), c(d[67]), c(d[68]), c(d[69]), c(d[70]), c(d[71]), \
    c(d[72]), c(d[73]), c(d[74]), c(d[75]), c(d[76]), c(d[77]), c(d[78]), c(d[79]), \
    c(d[80]), c(d[81]), c(d[82]), c(d[83]), c(d[84]), c(d[85]), c(d[86]), c(d[87]), \
    c(d[88]), c(d[89]), c(d[90]), c(d[91]), c(d[92]), c(d[93]), c(d[94]), c(d[95]), \
    c(d[96]), c(d[97]), c(d[98]), c(d[99]), c(d[100]), c(d[101]), c(d[102]), c(d[103]), \
    c(d[104]), c(d[105]), c(d[106]), c(d[107]), c(d[108]), c(d[109]), c(d[110]), c(d[111]), \
    c(d[112]), c(d[113]), c(d[114]), c(d[115]), c(d[116]), c(d[117]), c(d[118]), c(d[119]), \
    c(d[120]), c(d[121]), c(d[122]), c(d[123]), c(d[124]), c(d[125]), c(d[126]), c(d[127]) \
    : "l"(a), "l"(b), "r"(keeps))
#define WGMMA_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WGMMA_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WGMMA_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
#else
#define WGMMA_BODY(c, d, a, b, keeps, instruction, tail) (void)(d), (void)(a), (void)(b), (void)(keeps)
#define WGMMA_FENCE()
#define WGMMA_COMMIT()
#define WGMMA_WAIT(n)
#endif

#define FLOAT_SUM(x) "+f"(x)
#define INTEGER_SUM(x) "+r"(x)

/* One step of k: sums (+)= A B', both by descriptor. */
template <int TYPE>
__device__ static inline void multiply(float *f, int *i, uint64_t a, uint64_t b, int keeps)
{
    if constexpr (TYPE == PEAK_TF32)
        WGMMA_BODY(FLOAT_SUM, f, a, b, keeps, "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32", ", 1, 1");
    else if constexpr (TYPE == PEAK_BF16)
        WGMMA_BODY(FLOAT_SUM, f, a, b, keeps, "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", ", 1, 1, 0, 0");
    else if constexpr (TYPE == PEAK_FP16)
        WGMMA_BODY(FLOAT_SUM, f, a, b, keeps, "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16", ", 1, 1, 0, 0");
    else if constexpr (TYPE == PEAK_E4M3)
        WGMMA_BODY(FLOAT_SUM, f, a, b, keeps, "wgmma.mma_async.sync.aligned.m64n256k32.f32.e4m3.e4m3", ", 1, 1");
    else
        WGMMA_BODY(INTEGER_SUM, i, a, b, keeps, "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8", "");
}

/* Address, leading and stride offsets in 16 bytes (8 rows are 1024 bytes apart), 128-byte swizzle. */
__device__ static inline uint64_t descriptor(uint32_t address)
{
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

/* wgmma_rate - `tiles` tiles a block. data: SHARED_BYTES as fill_stages() leaves them. out: 128 x 256 words, the last tile of
 * block 0. Launch: THREADS, SHARED_BYTES + 1024 of dynamic shared memory, one block an SM.
 * Cost: 2 * 128 * 256 * (elements in 32 bytes) * STEPS * STAGES * ROUNDS flop a tile. */
template <int TYPE>
__global__ __launch_bounds__(THREADS, 1) static void wgmma_rate(const uint4 *data, uint32_t *out, int tiles)
{
    extern __shared__ uint4 raw[];
    const uint32_t base = ((uint32_t)__cvta_generic_to_shared(raw) + 1023) & ~1023u;
    const int group = threadIdx.x / 128, lane = threadIdx.x % 32, warp = threadIdx.x % 128 / 32;
    uint4 *const words = raw + (base - (uint32_t)__cvta_generic_to_shared(raw)) / 16;
    const uint64_t a = descriptor(base + group * 64 * ROW_BYTES), b = descriptor(base + ROWS_A * ROW_BYTES);
    float f[SUMS];
    int n[SUMS];

    for (int i = threadIdx.x; i < SHARED_BYTES / 16; i += THREADS)
        words[i] = data[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        f[i] = 0;
        n[i] = 0;
    }
    /* Waiting once a round: the other warpgroup's instructions fill the gap. Two rounds in flight would be serialized by the
     * compiler, which does not see that nothing else touches the sums. */
#pragma unroll 1
    for (int round = 0; round < tiles * ROUNDS; round++) {
        const int keeps = round % ROUNDS;

        WGMMA_FENCE();
#pragma unroll
        for (int step = 0; step < STAGES * STEPS; step++) {
            const int at = step / STEPS * STAGE_BYTES + step % STEPS * 32;

            multiply<TYPE>(f, n, a + at / 16, b + at / 16, step ? 1 : keeps);
        }
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
    }
    if (blockIdx.x)
        return;
#pragma unroll
    for (int i = 0; i < SUMS; i++) {
        const int row = group * 64 + warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;

        out[row * ROWS_B + column] = TYPE == PEAK_INT8 ? (uint32_t)n[i] : __float_as_uint(f[i]);
    }
}

/* ---- host ---- */

typedef void rate_kernel(const uint4 *data, uint32_t *out, int tiles);

static rate_kernel *kernel_of(enum peak_type type)
{
    static rate_kernel *const kernels[] = { wgmma_rate<PEAK_TF32>, wgmma_rate<PEAK_BF16>, wgmma_rate<PEAK_FP16>,
                                            wgmma_rate<PEAK_E4M3>, wgmma_rate<PEAK_INT8> };

    return kernels[type];
}

bool peak_wgmma_init(const struct peak_card *card, struct peak_matrix *m, char *why)
{
    const double k = 32.0 / peak_type_bytes(m->type) * STEPS * STAGES * ROUNDS;

    m->tiles = TILES;
    m->blocks = (unsigned)card->multiprocessors;
    m->flops = 2.0 * ROWS_A * ROWS_B * k * m->tiles * m->blocks;
    PEAK_TRY(cudaMalloc(&m->d_data, SHARED_BYTES));
    PEAK_TRY(cudaMalloc(&m->d_out, ROWS_A * ROWS_B * sizeof(uint32_t)));
    PEAK_TRY(cudaFuncSetAttribute((const void *)kernel_of(m->type), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  SHARED_BYTES + 1024));
    fill_stages<<<48, 256>>>((uint32_t *)m->d_data, m->type);
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaDeviceSynchronize());
    return true;
}

cudaError_t peak_wgmma_enqueue(void *matrix, cudaStream_t stream)
{
    const struct peak_matrix *m = (const struct peak_matrix *)matrix;

    kernel_of(m->type)<<<m->blocks, THREADS, SHARED_BYTES + 1024, stream>>>((const uint4 *)m->d_data, (uint32_t *)m->d_out,
                                                                            m->tiles);
    return cudaGetLastError();
}

/* ROUNDS times the product of all stages, in f64. */
static void multiply_on_host(enum peak_type type, double *truth)
{
    const int width = ROW_BYTES / peak_type_bytes(type), all = STAGES * width;
    double *const rows = (double *)malloc(sizeof *rows * (ROWS_A + ROWS_B) * all);

    for (int row = 0; row < ROWS_A + ROWS_B; row++)
        for (int stage = 0; stage < STAGES; stage++)
            for (int k = 0; k < width; k++)
                rows[row * all + stage * width + k] = peak_element_value(type, index_of(type, stage, row, k));
    for (int i = 0; i < ROWS_A; i++)
        for (int j = 0; j < ROWS_B; j++) {
            double sum = 0;

            for (int k = 0; k < all; k++)
                sum += rows[i * all + k] * rows[(ROWS_A + j) * all + k];
            truth[i * ROWS_B + j] = ROUNDS * sum;
        }
    free(rows);
}

bool peak_wgmma_check(const struct peak_matrix *m, char *why)
{
    enum { N = ROWS_A * ROWS_B };
    static double truth[N], got[N];
    static uint32_t words[N];
    double error;

    PEAK_TRY(cudaMemcpy(words, m->d_out, sizeof words, cudaMemcpyDeviceToHost));
    multiply_on_host(m->type, truth);
    for (int i = 0; i < N; i++) {
        float x;

        memcpy(&x, &words[i], sizeof x);
        got[i] = m->type == PEAK_INT8 ? (double)(int32_t)words[i] : (double)x;
    }
    error = peak_relative_error(got, truth, N);
    /* fp8 sums keep about 14 bits, and 512 steps of equal sign add up their cuts. */
    if (!(error <= (m->type == PEAK_E4M3 ? 0.05 : m->type == PEAK_INT8 ? 0 : 1e-3))) {
        snprintf(why, PEAK_WHY, "the tile differs from the product in f64 by %.2g of its norm", error);
        return false;
    }
    return true;
}
