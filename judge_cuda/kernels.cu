/* kernels.cu - the judge's kernels by the names under which launch.c finds them. What a thread does
 * is in kernels.h.
 * Launch: one-dimensional, any grid and block; nothing shared; the judge's stream. */
#include "judge_cuda/kernels.h"

#define JUDGE_THREAD  ((int64_t)blockIdx.x * blockDim.x + threadIdx.x)
#define JUDGE_THREADS ((int64_t)gridDim.x * blockDim.x)

extern "C" __global__ void judge_fill(struct judge_plan plan, void *tensor, int64_t first,
                                      int64_t n)
{
    judge_fill_thread(plan, tensor, first, n, JUDGE_THREAD, JUDGE_THREADS);
}

extern "C" __global__ void judge_holds(struct judge_plan plan, const void *tensor, int64_t first,
                                       int64_t n, uint64_t *bad)
{
    judge_holds_thread(plan, tensor, first, n, bad, JUDGE_THREAD, JUDGE_THREADS);
}

extern "C" __global__ void judge_tile(struct judge_tile tile, void *base, int64_t from, int64_t to)
{
    judge_tile_thread(tile, base, from, to, JUDGE_THREAD, JUDGE_THREADS);
}

extern "C" __global__ void judge_tile_check(struct judge_tile tile, const void *base, int64_t from,
                                            int64_t to, uint64_t *bad)
{
    judge_tile_check_thread(tile, base, from, to, bad, JUDGE_THREAD, JUDGE_THREADS);
}

extern "C" __global__ void judge_probe(uint64_t *to, uint64_t value)
{
    judge_probe_thread(to, value, JUDGE_THREAD, JUDGE_THREADS);
}

extern "C" __global__ void judge_sweep(const void *from, int64_t n, uint64_t *sum)
{
    judge_sweep_thread(from, n, sum, JUDGE_THREAD, JUDGE_THREADS);
}

extern "C" __global__ void judge_lines(const void *base, uint64_t bytes, uint64_t seed, int64_t n,
                                       uint32_t *took)
{
    judge_lines_thread(base, bytes, seed, n, took, JUDGE_THREAD, JUDGE_THREADS);
}
