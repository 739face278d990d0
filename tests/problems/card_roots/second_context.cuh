/* second_context.cuh - a context beside the worker's, on the same card, and a stream in it. Slots are mapped for the card and not for
 * a context, so its kernels reach them. By the driver's own calls: the runtime knows one context a card. */
#ifndef TESTS_PROBLEMS_SECOND_CONTEXT_H
#define TESTS_PROBLEMS_SECOND_CONTEXT_H

#include <dlfcn.h>

#include "tests/problems/card_roots/roots.cuh"

#define AISP_DRIVER(call)         \
    do {                          \
        if (call)                 \
            return AISP_E_DEVICE; \
    } while (0)

struct context_calls {
    int (*create)(void **context, unsigned flags, int device);
    int (*destroy)(void *context);
    int (*push)(void *context);
    int (*pop)(void **context);
    void *context;
    cudaStream_t stream;
};
static struct context_calls second;

/* linger - one thread waits so many ns. Launch: block 1, grid 1. */
__global__ static void __attribute__((unused)) linger(int64_t ns)
{
    uint64_t begin, now;

    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        __nanosleep(1000);
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while ((int64_t)(now - begin) < ns);
}

static inline enum aisp_status find_context_calls(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);

    if (!driver)
        return AISP_E_UNAVAILABLE;
    second.create = (int (*)(void **, unsigned, int))dlsym(driver, "cuCtxCreate_v2");
    second.destroy = (int (*)(void *))dlsym(driver, "cuCtxDestroy_v2");
    second.push = (int (*)(void *))dlsym(driver, "cuCtxPushCurrent_v2");
    second.pop = (int (*)(void **))dlsym(driver, "cuCtxPopCurrent_v2");
    return second.create && second.destroy && second.push && second.pop ? AISP_OK : AISP_E_UNAVAILABLE;
}

static inline enum aisp_status enter_second(void)
{
    AISP_DRIVER(second.push(second.context));
    return AISP_OK;
}

static inline enum aisp_status leave_second(void)
{
    void *was;

    AISP_DRIVER(second.pop(&was));
    return AISP_OK;
}

static inline enum aisp_status open_second(const struct aisp_setup *s)
{
    (void)s;
    if (find_context_calls())
        return AISP_E_UNAVAILABLE;
    AISP_DRIVER(second.create(&second.context, 0, 0));
    AISP_CUDA(cudaStreamCreateWithFlags(&second.stream, cudaStreamNonBlocking));
    spend<<<1, 1, 0, second.stream>>>(NULL, NULL, 0, 0); /* its code is there before the first call */
    AISP_CUDA(cudaGetLastError());
    AISP_CUDA(cudaStreamSynchronize(second.stream));
    return leave_second();
}

#endif
