/* try_cluster.cu - thread block clusters, executed: blocks that read each other's shared memory. */
#include "peak_cuda/measure.cuh"

#include <cooperative_groups.h>

enum { BLOCKS = 4, THREADS = 128 };

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/* The word of the next block of the cluster. */
__device__ static inline uint32_t neighbour(uint32_t *word, uint32_t value)
{
    namespace cg = cooperative_groups;
    cg::cluster_group cluster = cg::this_cluster();
    uint32_t got;

    word[threadIdx.x] = value;
    cluster.sync();
    got = cluster.map_shared_rank(word, (cluster.block_rank() + 1) % cluster.num_blocks())[threadIdx.x];
    cluster.sync();                            /* none leaves while it is read */
    return got;
}
#else
__device__ static inline uint32_t neighbour(uint32_t *word, uint32_t value)      /* never launched */
{
    word[threadIdx.x] = value;
    return word[threadIdx.x];
}
#endif

/* exchange - out[block][thread] = what the next block of its cluster put there. Launch: clusters of BLOCKS, THREADS a block. */
__global__ static void exchange(uint32_t *out)
{
    __shared__ uint32_t word[THREADS];
    const uint32_t at = blockIdx.x * THREADS + threadIdx.x;

    out[at] = neighbour(word, (uint32_t)peak_bits(at));
}

static bool launch(uint32_t *d_out, char *why)
{
    cudaLaunchAttribute attribute = {};
    cudaLaunchConfig_t config = {};

    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = BLOCKS;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.gridDim = dim3(2 * BLOCKS);
    config.blockDim = dim3(THREADS);
    config.attrs = &attribute;
    config.numAttrs = 1;
    PEAK_TRY(cudaLaunchKernelEx(&config, exchange, d_out));
    PEAK_TRY(cudaDeviceSynchronize());
    return true;
}

static bool run(uint32_t **d_out, char *why)
{
    uint32_t out[2 * BLOCKS * THREADS];
    int n_wrong = 0;

    PEAK_TRY(cudaMalloc(d_out, sizeof out));
    if (!launch(*d_out, why))
        return false;
    PEAK_TRY(cudaMemcpy(out, *d_out, sizeof out, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < 2 * BLOCKS * THREADS; i++) {
        const unsigned block = i / THREADS, next = block / BLOCKS * BLOCKS + (block + 1) % BLOCKS;

        n_wrong += out[i] != (uint32_t)peak_bits(next * THREADS + i % THREADS);
    }
    if (n_wrong)
        snprintf(why, PEAK_WHY, "%d of %d words are not the neighbour's", n_wrong, 2 * BLOCKS * THREADS);
    return !n_wrong;
}

static enum peak_answer try_cluster(const struct peak_card *card, char *why)
{
    uint32_t *d_out = NULL;
    bool is_right;

    if (card->major < 9) {
        snprintf(why, PEAK_WHY, "compute capability %d.%d is below 9.0", card->major, card->minor);
        return PEAK_NO;
    }
    is_right = run(&d_out, why);
    cudaFree(d_out);
    return is_right ? PEAK_YES : PEAK_ERROR;
}

extern "C" const struct peak_feature peak_cluster_features[] = {
    { "cluster_dsmem", "clusters of four blocks that read each other's shared memory", try_cluster },
    { 0 },
};
