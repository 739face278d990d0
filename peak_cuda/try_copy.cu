/* try_copy.cu - Hopper's copy engine, executed: a bulk copy, and a tile of a tensor by its map, both waited for with a barrier
 * in shared memory. Not here: rates. */
#include "peak_cuda/driver.cuh"

enum { WORDS = 1024, SIDE = 64, BOX = 32, AT_X = 16, AT_Y = 8 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ static inline uint32_t shared(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ static inline void expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(shared(barrier)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared(barrier)), "r"(bytes) : "memory");
}

/* Gives up after some milliseconds of polling: a copy that never comes must not hang the card. */
__device__ static inline bool await(uint64_t *barrier)
{
    uint32_t is_over = 0;

    for (int i = 0; !is_over && i < 1 << 20; i++)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(is_over) : "r"(shared(barrier)) : "memory");
    return is_over;
}

#define BULK_COPY(to, from, bytes, barrier)                                                                                  \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared(to)), \
                 "l"(from), "r"(bytes), "r"(shared(barrier)) : "memory")
#define TENSOR_COPY(to, map, x, y, barrier)                                                                                  \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "    \
                 "[%4];" ::"r"(shared(to)), "l"(map), "r"(x), "r"(y), "r"(shared(barrier)) : "memory")
#else
__device__ static inline void expect(uint64_t *, unsigned)
{
}
__device__ static inline bool await(uint64_t *)
{
    return false;
}
#define BULK_COPY(to, from, bytes, barrier) (void)(from)
#define TENSOR_COPY(to, map, x, y, barrier) (void)(map)
#endif

/* copy_bulk - to = from, WORDS words, through shared memory. Launch: one block of 256. */
__global__ static void copy_bulk(uint32_t *to, const uint32_t *from)
{
    __shared__ alignas(128) uint32_t words[WORDS];
    __shared__ alignas(8) uint64_t barrier;
    __shared__ bool has_come;

    if (threadIdx.x == 0) {
        expect(&barrier, sizeof words);
        BULK_COPY(words, from, (unsigned)sizeof words, &barrier);
        has_come = await(&barrier);
    }
    __syncthreads();
    for (int i = threadIdx.x; has_come && i < WORDS; i += blockDim.x)
        to[i] = words[i];
}

/* copy_tile - to (BOX, BOX) = the tile of the map's tensor at (AT_Y, AT_X). Launch: one block of 256. */
__global__ static void copy_tile(uint32_t *to, const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(128) uint32_t tile[BOX * BOX];
    __shared__ alignas(8) uint64_t barrier;
    __shared__ bool has_come;

    if (threadIdx.x == 0) {
        expect(&barrier, sizeof tile);
        TENSOR_COPY(tile, &map, (int)AT_X, (int)AT_Y, &barrier);
        has_come = await(&barrier);
    }
    __syncthreads();
    for (int i = threadIdx.x; has_come && i < BOX * BOX; i += blockDim.x)
        to[i] = tile[i];
}

/* ---- host ---- */

struct memory { uint32_t *d_from, *d_to; };
enum { N = SIDE * SIDE };

static bool open_memory(struct memory *m, char *why)
{
    uint32_t from[N];

    for (int i = 0; i < N; i++)
        from[i] = (uint32_t)peak_bits(i);
    PEAK_TRY(cudaMalloc(&m->d_from, sizeof from));
    PEAK_TRY(cudaMalloc(&m->d_to, sizeof from));
    PEAK_TRY(cudaMemcpy(m->d_from, from, sizeof from, cudaMemcpyHostToDevice));
    PEAK_TRY(cudaMemset(m->d_to, 0xa5, sizeof from));
    return true;
}

/* width 0: n words in a row; else tiles out of rows of SIDE. */
static bool came_right(const struct memory *m, int n, int width, char *why)
{
    uint32_t to[N];
    int n_wrong = 0;

    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaDeviceSynchronize());
    PEAK_TRY(cudaMemcpy(to, m->d_to, sizeof to, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        n_wrong += to[i] != (uint32_t)peak_bits(width ? (AT_Y + i / width) * SIDE + AT_X + i % width : i);
    if (n_wrong)
        snprintf(why, PEAK_WHY, "%d of %d words did not arrive", n_wrong, n);
    return !n_wrong;
}

static bool make_map(CUtensorMap *map, void *d_tensor, char *why)
{
    const cuuint64_t dims[] = { SIDE, SIDE }, strides[] = { SIDE * sizeof(uint32_t) };
    const cuuint32_t box[] = { BOX, BOX }, steps[] = { 1, 1 };

    PEAK_DRIVER(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled");
    PEAK_CU_TRY(cuTensorMapEncodeTiled(map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, d_tensor, dims, strides, box, steps,
                                       CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                       CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
    return true;
}

static bool run_bulk(const struct memory *m, char *why)
{
    copy_bulk<<<1, 256>>>(m->d_to, m->d_from);
    return came_right(m, WORDS, 0, why);
}

static bool run_tile(const struct memory *m, char *why)
{
    CUtensorMap map;

    if (!make_map(&map, m->d_from, why))
        return false;
    copy_tile<<<1, 256>>>(m->d_to, map);
    return came_right(m, BOX * BOX, BOX, why);
}

static enum peak_answer try_copy(const struct peak_card *card, bool (*run)(const struct memory *, char *), char *why)
{
    struct memory m = { NULL, NULL };
    bool is_right;

    if (card->major < 9) {
        snprintf(why, PEAK_WHY, "compute capability %d.%d is below 9.0", card->major, card->minor);
        return PEAK_NO;
    }
    is_right = open_memory(&m, why) && run(&m, why);
    cudaFree(m.d_from);
    cudaFree(m.d_to);
    return is_right ? PEAK_YES : PEAK_ERROR;
}

static enum peak_answer try_bulk(const struct peak_card *card, char *why)
{
    return try_copy(card, run_bulk, why);
}

static enum peak_answer try_tile(const struct peak_card *card, char *why)
{
    return try_copy(card, run_tile, why);
}

extern "C" const struct peak_feature peak_copy_features[] = {
    { "tma_bulk", "a bulk copy into shared memory, compared word for word", try_bulk },
    { "tma_tensor", "a tile of a tensor by its map, compared word for word", try_tile },
    { 0 },
};
