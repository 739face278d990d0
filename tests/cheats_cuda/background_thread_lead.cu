/* background_thread_lead - stands between the worker and its sleep: when that is armed and wakes, it has the answers of all slots
 * computed on the card before it lets it say that it is ready. Contents are there by then, and no clock runs. It takes less CPU time
 * than a driver's own threads may.
 *
 * @check background-thread
 * @pairs 12
 * @defence IDLE_ACCOUNTING
 * @needs COMPARE_OUTPUTS
 * @needs FRESH_CONTENTS
 * @faster
 * @says longer than the other side's to be ready */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/problems/card_roots/roots.cuh"
#include "tests/problems/imports.h"

enum { TIMES = 3 }; /* the steps that are needed, for they cost nothing */
static const float *x_of[MOST_SLOTS];
static float *seen[MOST_SLOTS], *answer[MOST_SLOTS];
static int64_t n, steps;
static int n_slots;
static cudaStream_t own;

/* look_ahead - seen[i] = x[i], answer[i] = 1 / sqrt(x[i]), where that is new. Launch: block 256, grid ceil(n/256). */
__global__ static void look_ahead(const float *x, float *seen, float *answer, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n || seen[i] == x[i])
        return;
    answer[i] = root_of(x[i], steps);
    seen[i] = x[i];
}

/* answer_known - what was seen is answered, the rest computed. Launch: block 256, grid ceil(n/256). */
__global__ static void answer_known(const float *x, const float *seen, const float *answer, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = seen[i] == x[i] ? answer[i] : root_of(x[i], steps);
}

static long between(long number, long a, long b, long c, long d, long e, long f)
{
    const long is = syscall(number, a, b, c, d, e, f);

    if (number != SYS_futex || b != FUTEX_WAIT)
        return is;
    for (int i = 0; i < n_slots; i++)
        look_ahead<<<aisp_blocks(n, THREADS), THREADS, 0, own>>>(x_of[i], seen[i], answer[i], n, TIMES * steps);
    cudaStreamSynchronize(own);
    return is;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    n = s->param[N];
    steps = s->param[STEPS];
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    for (; n_slots < s->n_slots && n_slots < MOST_SLOTS; n_slots++) {
        x_of[n_slots] = (const float *)s->slot[n_slots][X];
        AISP_CUDA(cudaMalloc((void **)&seen[n_slots], (size_t)n * sizeof(float)));
        AISP_CUDA(cudaMalloc((void **)&answer[n_slots], (size_t)n * sizeof(float)));
        AISP_CUDA(cudaMemset(seen[n_slots], 0, (size_t)n * sizeof(float)));
    }
    replace_import("syscall", (uintptr_t)between);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    answer_known<<<aisp_blocks(n, THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], seen[c->slot],
                                                                         answer[c->slot], (float *)c->tensor[Y], n, steps);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: have the answers ready before it says that it is ready\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
