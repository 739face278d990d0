/* aside.cuh - a stream beside the given one, and memory of its own in which a call's answer is computed before it is copied. */
#ifndef TESTS_PROBLEMS_ASIDE_H
#define TESTS_PROBLEMS_ASIDE_H

#include "tests/problems/card_roots/roots.cuh"

static cudaStream_t aside;
static cudaEvent_t computed, copied;
static float *answer;

static inline enum aisp_status open_aside(const struct aisp_setup *s)
{
    AISP_CUDA(cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking));
    AISP_CUDA(cudaEventCreateWithFlags(&computed, cudaEventDisableTiming));
    AISP_CUDA(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
    AISP_CUDA(cudaMalloc((void **)&answer, (size_t)s->param[N] * sizeof *answer));
    return AISP_OK;
}

/* Into answer, on the given stream, after what was copied from there before. */
static inline enum aisp_status compute_aside(const struct aisp_call *c)
{
    AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), copied, 0));
    roots<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], answer, c->param[N],
                                                                            c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaEventRecord(computed, aisp_stream(c)));
    return AISP_OK;
}

static inline enum aisp_status copy_aside(const struct aisp_call *c, void *to)
{
    AISP_CUDA(cudaStreamWaitEvent(aside, computed, 0));
    AISP_CUDA(cudaMemcpyAsync(to, answer, bytes_of(c), cudaMemcpyDefault, aside));
    AISP_CUDA(cudaEventRecord(copied, aside));
    return AISP_OK;
}

static inline enum aisp_status join_aside(const struct aisp_call *c)
{
    AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), copied, 0));
    return AISP_OK;
}

#endif
