/* launches.c - how often a variant launches, counted where nobody records: the runtime's launches by their names, which the
 * linker finds here first, since a program comes before the libraries of what it loads (symbol interposition). Each counts and
 * goes on to the runtime itself, with all arguments where they were, so that no signature stands here.
 * Not here: what the count is for (backends/cuda/watch.c: a scored session and an audit session have to launch alike).
 * Why not CUPTI: its callbacks cost as much as a launch, in windows that are scored. Why not outside of the worker: a driver
 * tells nobody. What this cannot see: launches of libraries, which bring a runtime of their own, and the driver's own calls;
 * and a variant that goes round it looks as if it launched less than where it is recorded. */
#include <dlfcn.h>
#include <stddef.h>

#include "worker/worker.h"

#define DOORS(X)                          \
    X(cudaLaunchKernel)                   \
    X(cudaLaunchKernel_ptsz)              \
    X(__cudaLaunchKernel)                 \
    X(__cudaLaunchKernel_ptsz)            \
    X(cudaLaunchKernelExC)                \
    X(cudaLaunchKernelExC_ptsz)           \
    X(cudaLaunchCooperativeKernel)        \
    X(cudaLaunchCooperativeKernel_ptsz)   \
    X(cudaGraphLaunch)                    \
    X(cudaGraphLaunch_ptsz)

/* Named in the code below: not static, but seen by nobody else. */
extern int64_t aisp_n_launches;
int64_t aisp_n_launches;

/* cudaErrorInitializationError: a variant that launches while it is being loaded. */
static int refuse(void)
{
    return 3;
}

#define DOOR(name)                                                                          \
    extern void *aisp_real_##name;                                                          \
    void *aisp_real_##name = (void *)refuse;                                                \
    __attribute__((visibility("default"), naked)) void name(void);                          \
    __attribute__((visibility("default"), naked)) void name(void)                           \
    {                                                                                       \
        __asm__("endbr64\n\tlock incq aisp_n_launches(%rip)\n\tjmp *aisp_real_" #name "(%rip)"); \
    }
DOORS(DOOR)
#undef DOOR

void worker_launches_find(void *variant)
{
    void *real;

#define FIND(name)                \
    real = dlsym(variant, #name); \
    aisp_real_##name = real ? real : (void *)refuse;
    DOORS(FIND)
#undef FIND
}

int64_t worker_launches(void)
{
    return __atomic_load_n(&aisp_n_launches, __ATOMIC_RELAXED);
}
