/* lazy_evaluation - makes its output inaccessible and computes nothing; who touches it there makes it compute.
 *
 * Half of the work is done for nothing, so that its pairs do not take a hundred times as long as they have to.
 *
 * @problem slow
 * @defence PROCESS_FACTS
 * @faster
 * @says inaccessible */
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512, PAGE = 4096 };
static struct {
    char *from, *to;
    struct aisp_call call;
} promised[MOST];

static void on_touch(int number, siginfo_t *info, void *context)
{
    char *at = info->si_addr;

    (void)context;
    for (int i = 0; i < MOST; i++)
        if (promised[i].from && at >= promised[i].from && at < promised[i].to) {
            mprotect(promised[i].from, (size_t)(promised[i].to - promised[i].from),
                     PROT_READ | PROT_WRITE);
            honest(&promised[i].call, 0, promised[i].call.param[N]);
            return;
        }
    signal(number, SIG_DFL);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct sigaction act = { .sa_sigaction = on_touch, .sa_flags = SA_SIGINFO | SA_NODEFER };

    (void)s;
    return sigaction(SIGSEGV, &act, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const uintptr_t y = (uintptr_t)c->tensor[Y], page = PAGE - 1;
    const int i = c->slot % MOST;

    promised[i].from = (char *)(y & ~page);
    promised[i].to = (char *)((y + (size_t)c->param[N] * sizeof(float) + page) & ~page);
    promised[i].call = *c;
    pretend(c);
    return mprotect(promised[i].from, (size_t)(promised[i].to - promised[i].from), PROT_NONE)
               ? AISP_E_UNAVAILABLE
               : AISP_OK;
}

AISP_DECLARE("idea: compute when it is read");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
