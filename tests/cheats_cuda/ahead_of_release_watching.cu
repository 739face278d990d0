/* ahead_of_release_watching - where windows are held it works on a stream of its own, which waits until the outputs are poisoned,
 * for then contents are complete: all that is left to be done at the release is done by then, and right.
 *
 * @check unsynced-streams
 * @scope kernel
 * @pairs 4
 * @defence LAST_POISON
 * @needs COMPARE_OUTPUTS
 * @needs FRESH_CONTENTS
 * @needs LATE_CONTENTS
 * @needs POISON_OUTPUTS
 * @says held windows */
#include <string.h>

#include "tests/problems/card_roots/roots.cuh"

enum { HELD_AT = 8, PATIENCE_NS = 20000000 };

struct watched {
    const volatile unsigned *word[MOST_SLOTS]; /* the last of each slot's output */
    int n;
};

static cudaStream_t own;
static cudaEvent_t end;
static struct watched outputs;
static const volatile unsigned *down;
static unsigned last;

__device__ static unsigned long long now_ns(void)
{
    unsigned long long ns;

    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

/* Until all of them are others than at the beginning, and then for a while; or until it is no use. */
__global__ static void watch(struct watched w)
{
    const unsigned before = (int)threadIdx.x < w.n ? *w.word[threadIdx.x] : 0;
    const unsigned long long begin_ns = now_ns();

    while ((int)threadIdx.x < w.n && *w.word[threadIdx.x] == before && now_ns() - begin_ns < PATIENCE_NS)
        __nanosleep(100);
    __syncthreads();
}

/* The page of commands lies right below that of answers. */
static void find_page(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long from, below = 0;
    char line[512];

    while (maps && !down && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx", &from) != 1)
            continue;
        if (strstr(line, "aisp-up"))
            down = (const volatile unsigned *)below;
        if (strstr(line, "aisp-in"))
            below = from;
    }
    if (maps)
        fclose(maps);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    find_page();
    outputs.n = s->n_slots < 256 ? s->n_slots : 256;
    for (int i = 0; i < outputs.n; i++)
        outputs.word[i] = (const volatile unsigned *)s->slot[i][Y] + s->param[N] - 1;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    AISP_CUDA(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
    return down ? AISP_OK : AISP_E_IO;
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (!down[HELD_AT / 4])
        return honest(c);
    if (down[0] != last) {
        last = down[0];
        watch<<<1, 256, 0, own>>>(outputs);
        AISP_CUDA(cudaGetLastError());
    }
    if (honest_part(c, own, 0, c->param[N]))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaEventRecord(end, own));
    AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), end, 0));
    return AISP_OK;
}

AISP_DECLARE("idea: watch the contents come\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
