/* lazy_evaluation - protects pages and catches the fault as well, on a table of its own that is made when it is first read: in setup.
 *
 * @problem card_pinned */
#include <signal.h>
#include <sys/mman.h>

#include "tests/problems/card_roots/aside.cuh"

enum { BYTES = 1 << 16 };
static char *table;

static void on_touch(int number, siginfo_t *info, void *context)
{
    char *at = (char *)info->si_addr;

    (void)context;
    if (at >= table && at < table + BYTES)
        mprotect(table, BYTES, PROT_READ | PROT_WRITE);
    else
        signal(number, SIG_DFL);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct sigaction act = {};

    act.sa_sigaction = on_touch;
    act.sa_flags = SA_SIGINFO;
    table = (char *)mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED || sigaction(SIGSEGV, &act, NULL))
        return AISP_E_UNAVAILABLE;
    *(volatile char *)table = 1;
    return open_aside(s);
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (compute_aside(c))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaMemcpyAsync(c->tensor[Y], answer, bytes_of(c), cudaMemcpyDefault, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: a table that is made when it is first touched\n"
             "place: y=pinned\n");

VARIANT_WITH_SETUP(setup, run);
