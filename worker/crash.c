/* crash.c - leave a note when a fatal signal comes, then die of it. The wait status is what
 * counts; the note only says where. A variant can overwrite the note or replace the handlers:
 * then the finding has no address, but it is a finding. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "worker/worker.h"

static struct aisp_up *note;

/* Was it out of memory? Then a moderate mapping fails too. */
static uint32_t is_memory_short(void)
{
    void *p = mmap(NULL, 16u << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        return 1;
    munmap(p, 16u << 20);
    return 0;
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
    const ucontext_t *u = context;

    note->fault_address = (uint64_t)info->si_addr;
    note->fault_code = info->si_code;
    note->is_write = (u->uc_mcontext.gregs[REG_ERR] & 2) != 0;
    note->is_memory_short = is_memory_short();
    if (number == SIGSYS)
        note->forbidden_call = (int64_t)info->si_syscall + 1;
    note->signal = number;
    /* The filter's answer to this very call is death: there is no way back into the variant. */
    if (number == SIGSYS)
        sigaction(SIGSYS, NULL, NULL);
    /* SA_RESETHAND: returning makes the fault come again, now with the default action; a sent
     * signal has to be sent again. */
    if (info->si_code <= 0 || number == SIGSYS)
        raise(number);
}

void worker_note_crashes(struct aisp_up *up)
{
    static const int fatal[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS, SIGTRAP };
    static char stack[32768] __attribute__((aligned(64)));
    const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
    struct sigaction act;

    note = up;
    sigaltstack(&alternate, NULL);
    memset(&act, 0, sizeof act);
    act.sa_sigaction = on_fatal;
    act.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &act, NULL);
}
