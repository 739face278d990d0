/* measure.cuh - checked calls, device memory that frees itself, and how one ceiling is held and timed.
 * Groups of launches of some milliseconds each, between events, never more than a few in flight, so that clocks can be read
 * meanwhile. `burst` is the best group, `value` what all groups after a warm-up did together. */
#ifndef PEAK_MEASURE_CUH
#define PEAK_MEASURE_CUH

#include <cuda_runtime.h>
#include <stdio.h>

#include "peak_cuda/peak_cuda.h"

/* Leaves a function that answers bool with false, the reason in `why`. */
#define PEAK_TRY(call)                                       \
    do {                                                     \
        const cudaError_t peak_error = (call);               \
        if (peak_error != cudaSuccess)                       \
            return peak_failed(why, #call, peak_error);      \
    } while (0)
/* Always false. */
bool peak_failed(char *why, const char *call, cudaError_t error);

/* Work that is enqueued again and again. `enqueue` answers the first error. */
struct peak_work {
    cudaError_t (*enqueue)(void *state, cudaStream_t stream);
    void *state;
    double amount;             /* of one enqueue, in the row's unit times seconds: 1e9 bytes for GB/s */
};
bool peak_hold(const struct peak_card *card, const struct peak_work *work, struct peak_result *result, char *why);
/* Fills result->theory from what an SM does each cycle, or from the memory's clock and bus. */
void peak_theory_of_sms(const struct peak_card *card, double per_sm_clock, struct peak_result *result);
void peak_theory_of_memory(const struct peak_card *card, struct peak_result *result);

/* Random bits by index, for contents that no unit can compress or skip (a mixing function of 64 bits, splitmix64). */
__host__ __device__ static inline uint64_t peak_bits(uint64_t i)
{
    i = (i + 1) * 0x9e3779b97f4a7c15ull;
    i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9ull;
    i = (i ^ (i >> 27)) * 0x94d049bb133111ebull;
    return i ^ (i >> 31);
}
/* Device memory full of them. */
cudaError_t peak_fill(void *d_memory, size_t bytes, cudaStream_t stream);

/* The current card may reach that one's memory from now on, if it could not already. */
static inline cudaError_t peak_reach(int peer)
{
    const cudaError_t e = cudaDeviceEnablePeerAccess(peer, 0);

    if (e != cudaErrorPeerAccessAlreadyEnabled)
        return e;
    cudaGetLastError(); /* or it is the next call's */
    return cudaSuccess;
}

#endif
