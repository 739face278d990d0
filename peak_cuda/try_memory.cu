/* try_memory.cu - kinds of memory, executed: stream-ordered allocation, managed memory, another card's. */
#include "peak_cuda/measure.cuh"

static const size_t BYTES = (size_t)16 << 20;      /* managed memory above all stays small */

__global__ static void fill_from(uint64_t *words, size_t n, uint64_t first)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        words[i] = peak_bits(first + i);
}

static bool holds(const uint64_t *words, uint64_t first, char *why)
{
    size_t n_wrong = 0;

    for (size_t i = 0; i < BYTES / 8; i++)
        n_wrong += words[i] != peak_bits(first + i);
    if (n_wrong)
        snprintf(why, PEAK_WHY, "%zu of %zu words are wrong", n_wrong, BYTES / 8);
    return !n_wrong;
}

static bool device_holds(const void *d_words, uint64_t first, char *why)
{
    uint64_t *const words = (uint64_t *)malloc(BYTES);
    const cudaError_t e = words ? cudaMemcpy(words, d_words, BYTES, cudaMemcpyDeviceToHost) : cudaErrorMemoryAllocation;
    const bool is_right = e == cudaSuccess ? holds(words, first, why) : peak_failed(why, "cudaMemcpy", e);

    free(words);
    return is_right;
}

/* ---- stream-ordered ---- */

static bool run_ordered(char *why)
{
    cudaStream_t stream;
    uint64_t *d_first, *d_second;

    PEAK_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    PEAK_TRY(cudaMallocAsync(&d_first, BYTES, stream));
    fill_from<<<64, 256, 0, stream>>>(d_first, BYTES / 8, 1);
    PEAK_TRY(cudaFreeAsync(d_first, stream));
    PEAK_TRY(cudaMallocAsync(&d_second, BYTES, stream));
    fill_from<<<64, 256, 0, stream>>>(d_second, BYTES / 8, 1000);
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaStreamSynchronize(stream));
    if (!device_holds(d_second, 1000, why))
        return false;
    PEAK_TRY(cudaFreeAsync(d_second, stream));
    PEAK_TRY(cudaStreamSynchronize(stream));
    PEAK_TRY(cudaStreamDestroy(stream));
    return true;
}

static enum peak_answer try_ordered(const struct peak_card *card, char *why)
{
    int can = 0;

    if (cudaDeviceGetAttribute(&can, cudaDevAttrMemoryPoolsSupported, card->device) != cudaSuccess || !can) {
        snprintf(why, PEAK_WHY, "the driver says that it has no memory pools");
        return PEAK_NO;
    }
    return run_ordered(why) ? PEAK_YES : PEAK_ERROR;
}

/* ---- managed ---- */

static bool run_managed(char *why)
{
    uint64_t *words;

    PEAK_TRY(cudaMallocManaged(&words, BYTES, cudaMemAttachGlobal));
    for (size_t i = 0; i < BYTES / 8; i++)                      /* first touched here */
        words[i] = i;
    fill_from<<<64, 256>>>(words, BYTES / 8, 77);
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaDeviceSynchronize());
    if (!holds(words, 77, why))
        return false;
    PEAK_TRY(cudaFree(words));
    return true;
}

static enum peak_answer try_managed(const struct peak_card *card, char *why)
{
    int can = 0;

    if (cudaDeviceGetAttribute(&can, cudaDevAttrManagedMemory, card->device) != cudaSuccess || !can) {
        snprintf(why, PEAK_WHY, "the card says that it has no managed memory");
        return PEAK_NO;
    }
    return run_managed(why) ? PEAK_YES : PEAK_ERROR;
}

/* ---- another card's ---- */

static bool run_peer(int device, int peer, char *why)
{
    uint64_t *d_there;

    PEAK_TRY(cudaSetDevice(peer));
    PEAK_TRY(cudaMalloc(&d_there, BYTES));
    PEAK_TRY(cudaSetDevice(device));
    PEAK_TRY(peak_reach(peer));
    fill_from<<<64, 256>>>(d_there, BYTES / 8, 5);     /* stores that go there */
    PEAK_TRY(cudaGetLastError());
    PEAK_TRY(cudaDeviceSynchronize());
    if (!device_holds(d_there, 5, why))
        return false;
    PEAK_TRY(cudaFree(d_there));
    return true;
}

static enum peak_answer try_peer(const struct peak_card *card, char *why)
{
    const int peer = card->device ? 0 : 1;
    int can = 0;

    if (card->n_devices < 2) {
        snprintf(why, PEAK_WHY, "there is one card only");
        return PEAK_NO;
    }
    if (cudaDeviceCanAccessPeer(&can, card->device, peer) != cudaSuccess || !can) {
        snprintf(why, PEAK_WHY, "cards %d and %d do not reach each other's memory", card->device, peer);
        return PEAK_NO;
    }
    return run_peer(card->device, peer, why) ? PEAK_YES : PEAK_ERROR;
}

extern "C" const struct peak_feature peak_memory_features[] = {
    { "stream_ordered_allocation", "allocated, freed and allocated again in a stream, contents checked", try_ordered },
    { "managed_memory", "16 MiB touched by the host, then the card, then the host", try_managed },
    { "peer_access", "a kernel that stores into another card's memory, read back", try_peer },
    { 0 },
};
