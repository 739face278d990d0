/* lazy_evaluation - makes its output, which lies in pinned memory of the host, inaccessible and computes half of what is asked; who
 * touches it there makes it compute the rest.
 *
 * @problem card_pinned
 * @defence PROCESS_FACTS
 * @says inaccessible */
#include <signal.h>
#include <sys/mman.h>

#include "tests/problems/card_roots/aside.cuh"

enum { PAGE = 4096 };
static struct {
    char *from, *to;
    struct aisp_call call;
} promised[MOST_SLOTS];

static enum aisp_status fulfil(const struct aisp_call *c)
{
    if (compute_aside(c))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaMemcpyAsync(c->tensor[Y], answer, bytes_of(c), cudaMemcpyDefault, aisp_stream(c)));
    AISP_CUDA(cudaStreamSynchronize(aisp_stream(c)));
    return AISP_OK;
}

static void on_touch(int number, siginfo_t *info, void *context)
{
    char *at = (char *)info->si_addr;

    (void)context;
    for (int i = 0; i < MOST_SLOTS; i++)
        if (promised[i].from && at >= promised[i].from && at < promised[i].to) {
            mprotect(promised[i].from, (size_t)(promised[i].to - promised[i].from), PROT_READ | PROT_WRITE);
            fulfil(&promised[i].call);
            return;
        }
    signal(number, SIG_DFL);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct sigaction act = {};

    act.sa_sigaction = on_touch;
    act.sa_flags = SA_SIGINFO | SA_NODEFER;
    return open_aside(s) || sigaction(SIGSEGV, &act, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const uintptr_t y = (uintptr_t)c->tensor[Y], page = PAGE - 1;
    const int i = c->slot % MOST_SLOTS;

    promised[i].from = (char *)(y & ~page);
    promised[i].to = (char *)((y + bytes_of(c) + page) & ~page);
    promised[i].call = *c;
    if (pretend(c))
        return AISP_E_DEVICE;
    return mprotect(promised[i].from, (size_t)(promised[i].to - promised[i].from), PROT_NONE) ? AISP_E_UNAVAILABLE : AISP_OK;
}

AISP_DECLARE("idea: compute when it is read\n"
             "place: y=pinned\n");

VARIANT_WITH_SETUP(setup, run);
