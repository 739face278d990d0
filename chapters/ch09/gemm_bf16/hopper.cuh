/* hopper.cuh - the words of PTX that the Hopper rungs of gemm_bf16 speak: mbarriers, bulk tensor copies, wgmma, stmatrix,
 * clusters.
 * Not here: what is copied and when (the rungs), descriptors of tensors on the host (tensor_maps.cuh).
 * Why by hand: each is one instruction, and which of them a rung uses is the lesson. Chapters named are those of the PTX
 * ISA.
 * Only for code compiled for 90a: include where HOPPER is 1. */
#ifndef GEMM_BF16_HOPPER_CUH
#define GEMM_BF16_HOPPER_CUH

#include <cuda.h>
#include <stdint.h>

/* Host code sees the kernels too, and they must be the same functions there. Elsewhere they are never launched. */
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HOPPER 1
#else
#define HOPPER 0
#endif

#if HOPPER

__device__ static __forceinline__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

/* mbarriers ("mbarrier"): a phase ends when `count` threads have arrived and all bytes expected in it are there. */

__device__ static __forceinline__ void barrier_init(uint32_t barrier, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count));
}

/* Makes initialised barriers visible to the cluster and to the copy engine; a barrier of the threads must follow. */
__device__ static __forceinline__ void barrier_init_fence(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;\n\tfence.proxy.async.shared::cta;" ::: "memory");
}

__device__ static __forceinline__ void barrier_expect(uint32_t barrier, uint32_t n_bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(n_bytes) : "memory");
}

__device__ static __forceinline__ void barrier_arrive(uint32_t barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

/* Arrives at the barrier that block `rank` of the cluster has at the same place, at the default scope, that of the block: the
 * arrival tells that reads are over and hands over no data. At the cluster's scope the compiler puts a fence before each,
 * and the thread waits in it until all that it wrote is seen. */
__device__ static __forceinline__ void barrier_arrive_at(uint32_t barrier, uint32_t rank)
{
    asm volatile("{\n\t.reg .b32 there;\n\t"
                 "mapa.shared::cluster.u32 there, %0, %1;\n\t"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n\t}" ::"r"(barrier), "r"(rank) : "memory");
}

/* Waits for the end of the phase of this parity. A barrier that has ended none yet counts as having ended one of parity 1. */
__device__ static __forceinline__ void barrier_wait(uint32_t barrier, uint32_t parity)
{
    asm volatile("{\n\t.reg .pred done;\n"
                 "again:\n\t"
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n\t"
                 "@!done bra again;\n\t}" ::"r"(barrier), "r"(parity) : "memory");
}

/* Named barrier of n_threads threads of the block; 0 is __syncthreads(). */
__device__ static __forceinline__ void named_barrier(int id, int n_threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n_threads) : "memory");
}

/* Bulk tensor copies ("cp.async.bulk.tensor"): a box of the tensor at (x, y), x along a row. Outside of the tensor zeros are
 * read and nothing is written; the zeros count as bytes. */

__device__ static __forceinline__ void tensor_prefetch(const CUtensorMap *map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

__device__ static __forceinline__ void tensor_load(uint32_t to, const CUtensorMap *map, int x, int y, uint32_t barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
        "l"(map), "r"(x), "r"(y), "r"(barrier)
        : "memory");
}

/* To the same place in all blocks of `blocks` (bit r: rank r), and counted by the barrier at the same place in each of them. */
__device__ static __forceinline__ void tensor_multicast(uint32_t to, const CUtensorMap *map, int x, int y, uint32_t barrier,
                                                        uint16_t blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
                 "l"(map), "r"(x), "r"(y), "r"(barrier), "h"(blocks)
                 : "memory");
}

__device__ static __forceinline__ void tensor_store(const CUtensorMap *map, int x, int y, uint32_t from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n\t"
                 "cp.async.bulk.commit_group;" ::"l"(map), "r"(x), "r"(y), "r"(from) : "memory");
}

/* Until at most N of this thread's stores still read shared memory. */
template <int N> __device__ static __forceinline__ void stores_wait_read(void)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

__device__ static __forceinline__ void stores_wait(void)
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* What this thread wrote to shared memory is seen by copies that are issued after the next barrier. */
__device__ static __forceinline__ void shared_to_copies(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Registers of a warpgroup ("setmaxnreg"): all its warps have to say so. */

template <int N> __device__ static __forceinline__ void registers_give(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N> __device__ static __forceinline__ void registers_take(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}

/* Clusters. */

__device__ static __forceinline__ uint32_t cluster_rank(void)
{
    uint32_t rank;

    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ static __forceinline__ void cluster_barrier(void)
{
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

/* wgmma ("wgmma.mma_async"). A descriptor of a tile in shared memory ("matrix descriptor"): address, leading and stride
 * offsets in units of 16 bytes, and bit 62 for rows of 128 bytes whose 16-byte chunks are permuted within every 8 rows,
 * which is how the copies write them. */

__device__ static __forceinline__ uint64_t tile_descriptor(uint32_t address, uint32_t leading_bytes, uint32_t stride_bytes)
{
    return (uint64_t)(address >> 4 & 0x3fff) | (uint64_t)(leading_bytes >> 4) << 16 | (uint64_t)(stride_bytes >> 4) << 32 |
           (uint64_t)1 << 62;
}

/* Accumulators and shared memory are as earlier instructions left them: before the first wgmma of a group. */
__device__ static __forceinline__ void wgmma_begin(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ static __forceinline__ void wgmma_commit(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Until at most N groups of this warpgroup are under way. */
template <int N> __device__ static __forceinline__ void wgmma_wait(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

/* After the last wait: sums may not be read above this. */
__device__ static __forceinline__ void wgmma_settle(float (&d)[128])
{
    for (int i = 0; i < 128; i++)
        asm volatile("" : "+f"(d[i])::"memory");
}

#define SUMS_8(d, i)                                                                                                        \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), "+f"(d[i + 7])
#define SUMS_32(d, i) SUMS_8(d, i), SUMS_8(d, i + 8), SUMS_8(d, i + 16), SUMS_8(d, i + 24)

/* wgmma_64x256x16 - d (64,256) = a (64,16) b (16,256) + (add ? d : 0), bf16 in, f32 sums; a lies along k, b along n
 * ("transposed").
 * Thread t of the warpgroup holds row 16(t/32) + (t%32)/4 + 8((i/2)%2), column 8(i/4) + 2(t%4) + i%2 in d[i]. Source: PTX
 * ISA, register fragments of wgmma.mma_async.m64nNk16. */
__device__ static __forceinline__ void wgmma_64x256x16(float (&d)[128], uint64_t a, uint64_t b, int add)
{
    asm volatile(
        "{\n\t.reg .pred add;\n\t"
        "setp.ne.b32 add, %130, 0;\n\t"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
        "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
        "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
        "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
        "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
        "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
        "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
        "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}, "
        "%128, %129, add, 1, 1, 0, 1;\n\t}"
        : SUMS_32(d, 0), SUMS_32(d, 32), SUMS_32(d, 64), SUMS_32(d, 96)
        : "l"(a), "l"(b), "r"(add));
}

/* Two f32 to a pair of bf16, the first in the lower half, to nearest. */
__device__ static __forceinline__ uint32_t pair_of_bf16(float first, float second)
{
    uint32_t pair;

    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
    return pair;
}

/* Four 8 x 8 matrices of a warp to shared memory: lane l gives the address of row l%8 of matrix l/8. */
__device__ static __forceinline__ void matrices_store(uint32_t to, uint32_t m0, uint32_t m1, uint32_t m2, uint32_t m3)
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(m0), "r"(m1), "r"(m2),
                 "r"(m3)
                 : "memory");
}

#endif
#endif
