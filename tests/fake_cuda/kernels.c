/* kernels.c - the judge's kernels by name, out of the same lines that nvcc compiles
 * (judge_cuda/kernels.h), and the one that holds a worker's stream, which naps between its looks. Not here: kernels of variants,
 * which for this device are plain C. */
#include "fake_cuda.h"

#include <string.h>
#include <time.h>

#include "backends/cuda/hold.h"
#include "judge_cuda/kernels.h"

#define ARGUMENT(type, i) (*(type *)argument[i])

static void fill(void **argument, int64_t thread, int64_t n_threads)
{
    judge_fill_thread(ARGUMENT(struct judge_plan, 0), ARGUMENT(void *, 1), ARGUMENT(int64_t, 2),
                      ARGUMENT(int64_t, 3), thread, n_threads);
}

static void holds(void **argument, int64_t thread, int64_t n_threads)
{
    judge_holds_thread(ARGUMENT(struct judge_plan, 0), ARGUMENT(void *, 1), ARGUMENT(int64_t, 2),
                       ARGUMENT(int64_t, 3), ARGUMENT(uint64_t *, 4), thread, n_threads);
}

static void tile(void **argument, int64_t thread, int64_t n_threads)
{
    judge_tile_thread(ARGUMENT(struct judge_tile, 0), ARGUMENT(void *, 1), ARGUMENT(int64_t, 2),
                      ARGUMENT(int64_t, 3), thread, n_threads);
}

static void tile_check(void **argument, int64_t thread, int64_t n_threads)
{
    judge_tile_check_thread(ARGUMENT(struct judge_tile, 0), ARGUMENT(void *, 1),
                            ARGUMENT(int64_t, 2), ARGUMENT(int64_t, 3), ARGUMENT(uint64_t *, 4),
                            thread, n_threads);
}

static void probe(void **argument, int64_t thread, int64_t n_threads)
{
    judge_probe_thread(ARGUMENT(uint64_t *, 0), ARGUMENT(uint64_t, 1), thread, n_threads);
}

static void sweep(void **argument, int64_t thread, int64_t n_threads)
{
    judge_sweep_thread(ARGUMENT(const void *, 0), ARGUMENT(int64_t, 1), ARGUMENT(uint64_t *, 2),
                       thread, n_threads);
}

static void lines(void **argument, int64_t thread, int64_t n_threads)
{
    judge_lines_thread(ARGUMENT(const void *, 0), ARGUMENT(uint64_t, 1), ARGUMENT(uint64_t, 2),
                       ARGUMENT(int64_t, 3), ARGUMENT(uint32_t *, 4), thread, n_threads);
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void hold(void **argument, int64_t thread, int64_t n_threads)
{
    const struct timespec nap = { 0, 500000 };
    const struct cuda_hold h = ARGUMENT(struct cuda_hold, 0);
    const uint32_t *go = (const uint32_t *)(uintptr_t)h.go;
    uint32_t *beat = (uint32_t *)(uintptr_t)h.beat;
    const int64_t begin_ns = now_ns();

    (void)thread, (void)n_threads;
    while (__atomic_load_n(go, __ATOMIC_ACQUIRE) != h.seq && now_ns() - begin_ns < (int64_t)h.limit_ns) {
        __atomic_fetch_add(beat, 1, __ATOMIC_RELEASE);
        nanosleep(&nap, NULL);
    }
}

static const struct fake_kernel kernel[] = {
    { "judge_fill", fill },   { "judge_holds", holds },
    { "judge_tile", tile },   { "judge_tile_check", tile_check },
    { "judge_probe", probe }, { "judge_sweep", sweep },
    { "judge_lines", lines }, { CUDA_HOLD_KERNEL, hold, sizeof(struct cuda_hold) },
};

const struct fake_kernel *fake_kernel_find(const char *name)
{
    for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++)
        if (!strcmp(kernel[i].name, name))
            return &kernel[i];
    return NULL;
}
