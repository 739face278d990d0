/* optimized_overlapped - pinned memory, in pieces of 4 MiB: while one is copied on a stream of its own, the one before is
 * converted.
 * Expected: the kernels hide behind the copies all but the last: of 18 ps a sample on the link and 2 ps of conversion the
 * latter disappear, 1.05x to 1.1x. Where the kernel does more, more disappears (see ch11).
 * Costs: a stream and an event for each piece; pieces so small that their launches cost more than their copies would undo
 * it. */
#include <stdlib.h>

#include "convert.cuh"

static const int64_t PIECE = 4 << 20;

/* `begun` is the call's stream before its first kernel: samples of the call before may still be read until then. */
struct state { cudaStream_t copies; cudaEvent_t begun, arrived; };

static void teardown(void *of)
{
    struct state *s = (struct state *)of;

    if (!s)
        return;
    if (s->arrived)
        cudaEventDestroy(s->arrived);
    if (s->begun)
        cudaEventDestroy(s->begun);
    if (s->copies)
        cudaStreamDestroy(s->copies);
    free(s);
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);

    *setup->state = s;
    if (!s)
        return AISP_E_NO_MEMORY;
    AISP_CUDA(cudaStreamCreateWithFlags(&s->copies, cudaStreamNonBlocking));
    AISP_CUDA(cudaEventCreateWithFlags(&s->begun, cudaEventDisableTiming));
    AISP_CUDA(cudaEventCreateWithFlags(&s->arrived, cudaEventDisableTiming));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct state *s = (struct state *)call->state;
    const cudaStream_t stream = aisp_stream(call);
    const int8_t *x = (const int8_t *)call->tensor[X];
    const int64_t n = call->param[N];
    int8_t *samples = (int8_t *)call->workspace;
    enum aisp_status st = AISP_OK;

    AISP_CUDA(cudaEventRecord(s->begun, stream));
    AISP_CUDA(cudaStreamWaitEvent(s->copies, s->begun, 0));
    for (int64_t i = 0; i < n && !st; i += PIECE) {
        const int64_t piece = n - i < PIECE ? n - i : PIECE;

        AISP_CUDA(cudaMemcpyAsync(samples + i, x + i, (size_t)piece, cudaMemcpyHostToDevice, s->copies));
        AISP_CUDA(cudaEventRecord(s->arrived, s->copies)); /* a wait takes the event as it is now */
        AISP_CUDA(cudaStreamWaitEvent(stream, s->arrived, 0));
        st = convert_on(stream, samples + i, (float *)call->tensor[Y] + i, piece);
    }
    return st;
}

AISP_DECLARE("idea: pieces on a copy stream, each converted while the next arrives\n"
             "expect: time of the last kernel only, behind the copies\n"
             "uses: streams\n"
             "place: x=pinned");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = samples_bytes, .setup = setup, .run = run, .teardown = teardown };
