/* try_partition.cu - parts of a card: a green context, whose kernels must stay on the multiprocessors it was given (or two more,
 * which the driver may share among such contexts); how the card is set up (MIG, ECC), which is read and never set. */
#include "peak_cuda/driver.cuh"

enum { LEAST = 16, BLOCKS = 2048, THREADS = 128, MOST_GROUPS = 1, MAY_SHARE = 2 };

/* where_am_i - used[m] = 1 for each multiprocessor m that ran a block. Every block stays a while, so that they spread. */
__global__ static void where_am_i(unsigned *used)
{
    const long long from = clock64();
    unsigned m;

    asm volatile("mov.u32 %0, %%smid;" : "=r"(m));
    while (clock64() - from < 20000)
        ;
    if (threadIdx.x == 0 && m < PEAK_MOST_MULTIPROCESSORS)
        used[m] = 1;
}

static bool count_used(unsigned *d_used, cudaStream_t stream, int *n, char *why)
{
    unsigned used[PEAK_MOST_MULTIPROCESSORS];

    PEAK_TRY(cudaMemset(d_used, 0, sizeof used));
    PEAK_TRY(cudaDeviceSynchronize());
    where_am_i<<<BLOCKS, THREADS, 0, stream>>>(d_used);
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaStreamSynchronize(stream));
    PEAK_TRY(cudaMemcpy(used, d_used, sizeof used, cudaMemcpyDeviceToHost));
    *n = 0;
    for (int i = 0; i < PEAK_MOST_MULTIPROCESSORS; i++)
        *n += used[i] != 0;
    return true;
}

static bool run_green(const struct peak_card *card, unsigned *d_used, char *why)
{
    CUdevResource all, part, rest;
    unsigned n_groups = MOST_GROUPS;
    CUdevResourceDesc description;
    CUgreenCtx context;
    CUstream stream;
    int n_whole, n_part;

    PEAK_DRIVER(cuDeviceGetDevResource, "cuDeviceGetDevResource");
    PEAK_DRIVER(cuDevSmResourceSplitByCount, "cuDevSmResourceSplitByCount");
    PEAK_DRIVER(cuDevResourceGenerateDesc, "cuDevResourceGenerateDesc");
    PEAK_DRIVER(cuGreenCtxCreate, "cuGreenCtxCreate");
    PEAK_DRIVER(cuGreenCtxStreamCreate, "cuGreenCtxStreamCreate");
    PEAK_DRIVER(cuGreenCtxDestroy, "cuGreenCtxDestroy");
    PEAK_DRIVER(cuStreamDestroy, "cuStreamDestroy_v2");
    PEAK_CU_TRY(cuDeviceGetDevResource(card->device, &all, CU_DEV_RESOURCE_TYPE_SM));
    PEAK_CU_TRY(cuDevSmResourceSplitByCount(&part, &n_groups, &all, &rest, 0, LEAST));
    PEAK_CU_TRY(cuDevResourceGenerateDesc(&description, &part, 1));
    PEAK_CU_TRY(cuGreenCtxCreate(&context, description, card->device, CU_GREEN_CTX_DEFAULT_STREAM));
    PEAK_CU_TRY(cuGreenCtxStreamCreate(&stream, context, CU_STREAM_NON_BLOCKING, 0));
    if (!count_used(d_used, 0, &n_whole, why) || !count_used(d_used, (cudaStream_t)stream, &n_part, why))
        return false;
    PEAK_CU_TRY(cuStreamDestroy(stream));
    PEAK_CU_TRY(cuGreenCtxDestroy(context));
    snprintf(why, PEAK_WHY, "given %u multiprocessors, used %d; without it %d", part.sm.smCount, n_part, n_whole);
    return n_part > 0 && n_part <= (int)part.sm.smCount + MAY_SHARE && n_whole > n_part;
}

static enum peak_answer try_green(const struct peak_card *card, char *why)
{
    unsigned *d_used = NULL;
    bool is_right = true;

    if (card->driver < 12040) {
        snprintf(why, PEAK_WHY, "the driver is for CUDA %d.%d: green contexts came with 12.4", card->driver / 1000,
                 card->driver % 1000 / 10);
        return PEAK_NO;
    }
    if (cudaMalloc(&d_used, PEAK_MOST_MULTIPROCESSORS * sizeof *d_used) != cudaSuccess) {
        snprintf(why, PEAK_WHY, "no memory on the card");
        is_right = false;
    }
    is_right = is_right && run_green(card, d_used, why);
    cudaFree(d_used);
    return is_right ? PEAK_YES : PEAK_ERROR;
}

/* Read alone: yes, where it is on. */
static enum peak_answer read_mode(int mode, char *why)
{
    snprintf(why, PEAK_WHY, "%s", mode < 0 ? "the management library does not say" : mode ? "it is on" : "it is off");
    return mode > 0 ? PEAK_YES : PEAK_NO;
}

static enum peak_answer read_mig(const struct peak_card *card, char *why)
{
    (void)card;
    return read_mode(peak_nvml_mig(), why);
}

static enum peak_answer read_ecc(const struct peak_card *card, char *why)
{
    (void)card;
    return read_mode(peak_nvml_ecc(), why);
}

extern "C" const struct peak_feature peak_partition_features[] = {
    { "green_contexts", "a part of the multiprocessors, its kernels seen to stay there", try_green },
    { "mig_mode", "multi-instance mode, read", read_mig },
    { "ecc_mode", "error-correcting memory, read", read_ecc },
    { 0 },
};
