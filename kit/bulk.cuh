/* bulk.cuh - Hopper's copy engine for plain bytes (cp.async.bulk): global memory to shared memory, which an mbarrier
 * counts, and back, in groups that the issuing thread waits for.
 * Addresses and sizes are multiples of 16 bytes. Where the engine is missing (PTX for cards before sm_90) a kernel that
 * asks for it stops; bulk_setup refuses such cards before. */
#ifndef AISP_KIT_BULK_CUH
#define AISP_KIT_BULK_CUH

#include <aisp/kernel_kit.cuh>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define BULK_ASM(...) asm volatile(__VA_ARGS__)
#else
#define BULK_ASM(...) __trap()
#endif

__device__ static inline uint32_t bulk_shared(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

/* One arrival a phase: that of the thread which announces the bytes. The fence lets the engine see the barrier. */
__device__ static inline void bulk_barrier_init(uint64_t *barrier)
{
    BULK_ASM("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(bulk_shared(barrier))
             : "memory");
}

__device__ static inline void bulk_load(void *to, const void *from, uint32_t bytes, uint64_t *barrier)
{
    BULK_ASM("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bulk_shared(barrier)), "r"(bytes) : "memory");
    BULK_ASM("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(bulk_shared(to)),
             "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(bulk_shared(barrier))
             : "memory");
}

/* Until the phase of this parity is over: phases count 0, 1, 0, ... */
__device__ static inline void bulk_wait(uint64_t *barrier, uint32_t parity)
{
    uint32_t done = 0;

    while (!done)
        BULK_ASM("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                 : "+r"(done)
                 : "r"(bulk_shared(barrier)), "r"(parity)
                 : "memory");
}

/* A group of its own. */
__device__ static inline void bulk_store(void *to, const void *from, uint32_t bytes)
{
    BULK_ASM("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\tcp.async.bulk.commit_group;" ::"l"(
                 __cvta_generic_to_global(to)),
             "r"(bulk_shared(from)), "r"(bytes)
             : "memory");
}

/* Until all but the newest N stores of this thread have left shared memory. */
template <int N> __device__ static inline void bulk_wait_read(void)
{
    BULK_ASM("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

/* Until all stores of this thread are done. */
__device__ static inline void bulk_wait_stores(void)
{
    BULK_ASM("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* Blocks for a card, `each` a multiprocessor. Errors: AISP_E_UNAVAILABLE before sm_90. */
static inline enum aisp_status bulk_setup(const void *kernel, int shared_bytes, int each, void **state)
{
    int device, major, n_sm;

    AISP_CUDA(cudaGetDevice(&device));
    AISP_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    AISP_CUDA(cudaDeviceGetAttribute(&n_sm, cudaDevAttrMultiProcessorCount, device));
    if (major < 9)
        return AISP_E_UNAVAILABLE;
    AISP_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
    *state = (void *)(intptr_t)(n_sm * each);
    return AISP_OK;
}

#endif
