/* mma.cu - what the matrix units do at most by warps' instructions (mma.sync), operands in registers: the way of all cards since
 * compute capability 8.0 that have no warpgroup instructions (wgmma.cu). A card newer than Hopper may have a faster way that is
 * not used here; its row says so.
 *
 * A warp holds 2 blocks of A (16 rows) and 8 of B (8 columns), each of 32 bytes of k, and multiplies all pairs over and over: 16
 * independent sums, which begin from zero every RESET rounds. Fragments of all types lie alike when counted in bytes. */
#include "peak_cuda/matrix.cuh"
#include "peak_cuda/number.cuh"

enum { BLOCKS_A = 2, BLOCKS_B = 8, ROWS_A = 16 * BLOCKS_A, ROWS_B = 8 * BLOCKS_B, THREADS = 256, RESET = 64, TILES = 256 };

__host__ __device__ static inline uint64_t index_of(int type, int row, int byte)
{
    return (uint64_t)row * (32 / peak_type_bytes(type)) + byte / peak_type_bytes(type);
}

#define MMA_BODY(c, d, a, b, instruction)                                                                                    \
    asm volatile(instruction " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                              \
                 : c(d[0]), c(d[1]), c(d[2]), c(d[3])                                                                        \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
#define FLOAT_SUM(x) "+f"(x)
#define INTEGER_SUM(x) "+r"(x)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define MMA_E4M3(d, a, b) MMA_BODY(FLOAT_SUM, d, a, b, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
#else
#define MMA_E4M3(d, a, b) (void)(d), (void)(a), (void)(b)
#endif

template <int TYPE> __device__ static inline void multiply(float *f, int *i, const uint32_t *a, const uint32_t *b)
{
    if constexpr (TYPE == PEAK_TF32)
        MMA_BODY(FLOAT_SUM, f, a, b, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
    else if constexpr (TYPE == PEAK_BF16)
        MMA_BODY(FLOAT_SUM, f, a, b, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32");
    else if constexpr (TYPE == PEAK_FP16)
        MMA_BODY(FLOAT_SUM, f, a, b, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    else if constexpr (TYPE == PEAK_E4M3)
        MMA_E4M3(f, a, b);
    else
        MMA_BODY(INTEGER_SUM, i, a, b, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32");
}

/* mma_rate - `tiles` times RESET rounds of all pairs in every warp. out: ROWS_A x ROWS_B words, by the last warp of block 0.
 * Launch: any grid of THREADS. Cost: 2 ROWS_A ROWS_B (elements in 32 bytes) RESET flop a tile and warp. */
template <int TYPE> __global__ __launch_bounds__(THREADS) static void mma_rate(uint32_t *out, int tiles)
{
    const int lane = threadIdx.x % 32, row = lane / 4, byte = lane % 4 * 4;
    uint32_t a[BLOCKS_A][4], b[BLOCKS_B][2];
    float f[BLOCKS_A * BLOCKS_B][4];
    int n[BLOCKS_A * BLOCKS_B][4];

#pragma unroll
    for (int i = 0; i < BLOCKS_A; i++)
#pragma unroll
        for (int w = 0; w < 4; w++)
            a[i][w] = peak_word(TYPE, index_of(TYPE, 16 * i + row + w % 2 * 8, byte + w / 2 * 16));
#pragma unroll
    for (int j = 0; j < BLOCKS_B; j++)
#pragma unroll
        for (int w = 0; w < 2; w++)
            b[j][w] = peak_word(TYPE, index_of(TYPE, ROWS_A + 8 * j + row, byte + w * 16));
    for (int tile = 0; tile < tiles; tile++) {
#pragma unroll
        for (int i = 0; i < BLOCKS_A * BLOCKS_B * 4; i++) {
            f[i / 4][i % 4] = 0;
            n[i / 4][i % 4] = 0;
        }
#pragma unroll 2
        for (int round = 0; round < RESET; round++)
#pragma unroll
            for (int i = 0; i < BLOCKS_A * BLOCKS_B; i++)
                multiply<TYPE>(f[i], n[i], a[i / BLOCKS_B], b[i % BLOCKS_B]);
    }
    if (blockIdx.x || threadIdx.x < THREADS - 32)
        return;
#pragma unroll
    for (int i = 0; i < BLOCKS_A * BLOCKS_B; i++)
#pragma unroll
        for (int w = 0; w < 4; w++) {
            const int r = i / BLOCKS_B * 16 + row + w / 2 * 8, c = i % BLOCKS_B * 8 + lane % 4 * 2 + w % 2;

            out[r * ROWS_B + c] = TYPE == PEAK_INT8 ? (uint32_t)n[i][w] : __float_as_uint(f[i][w]);
        }
}

/* ---- host ---- */

typedef void rate_kernel(uint32_t *out, int tiles);

static rate_kernel *kernel_of(enum peak_type type)
{
    static rate_kernel *const kernels[] = { mma_rate<PEAK_TF32>, mma_rate<PEAK_BF16>, mma_rate<PEAK_FP16>, mma_rate<PEAK_E4M3>,
                                            mma_rate<PEAK_INT8> };

    return kernels[type];
}

bool peak_mma_init(const struct peak_card *card, struct peak_matrix *m, char *why)
{
    const int capability = 10 * card->major + card->minor;

    if (capability < (m->type == PEAK_E4M3 ? 89 : 80)) {
        snprintf(why, PEAK_WHY, "compute capability %d.%d has no %s in its matrix units, or is older than this program's code",
                 card->major, card->minor, peak_type_name(m->type));
        return false;
    }
    m->tiles = TILES;
    m->blocks = (unsigned)card->multiprocessors * 4;
    m->flops = 2.0 * ROWS_A * ROWS_B * (32.0 / peak_type_bytes(m->type)) * RESET * m->tiles * (THREADS / 32) * m->blocks;
    PEAK_TRY(cudaMalloc(&m->d_out, ROWS_A * ROWS_B * sizeof(uint32_t)));
    return true;
}

cudaError_t peak_mma_enqueue(void *matrix, cudaStream_t stream)
{
    const struct peak_matrix *m = (const struct peak_matrix *)matrix;

    kernel_of(m->type)<<<m->blocks, THREADS, 0, stream>>>((uint32_t *)m->d_out, m->tiles);
    return cudaGetLastError();
}

bool peak_mma_check(const struct peak_matrix *m, char *why)
{
    enum { N = ROWS_A * ROWS_B };
    const int bytes = peak_type_bytes(m->type);
    static double truth[N], got[N];
    static uint32_t words[N];
    double error;

    PEAK_TRY(cudaMemcpy(words, m->d_out, sizeof words, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        float x;

        truth[i] = 0;
        for (int k = 0; k < 32; k += bytes)
            truth[i] += RESET * peak_element_value(m->type, index_of(m->type, i / ROWS_B, k)) *
                        peak_element_value(m->type, index_of(m->type, ROWS_A + i % ROWS_B, k));
        memcpy(&x, &words[i], sizeof x);
        got[i] = m->type == PEAK_INT8 ? (double)(int32_t)words[i] : (double)x;
    }
    error = peak_relative_error(got, truth, N);
    if (!(error <= (m->type == PEAK_E4M3 ? 0.05 : m->type == PEAK_INT8 ? 0 : 1e-3))) {
        snprintf(why, PEAK_WHY, "the sums differ from the product in f64 by %.2g of its norm", error);
        return false;
    }
    return true;
}
