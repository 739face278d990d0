/* crash.c - leave a note when a fatal signal comes, then die of it. The wait status is what
 * counts; the note only says where. A variant can overwrite the note or replace the handlers:
 * then the finding has no address, but it is a finding. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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

static struct {
    bool is_on;
    const char *path; /* the variant's, until the loader has asked for it */
    int fd;
} strict;

void worker_be_strict(const char *path, int fd)
{
    strict.is_on = true;
    strict.path = path;
    strict.fd = fd;
}

/* What libc looks for by itself and does without: how many cores there are, and the like. */
static bool is_for_libc(const char *path)
{
    static const char *const begins[] = { "/sys/devices/system/cpu/",
                                          "/sys/kernel/mm/",
                                          "/proc/stat",
                                          "/proc/self/maps",
                                          "/proc/sys/vm/overcommit_memory",
                                          "/dev/null" };

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (!strncmp(path, begins[i], strlen(begins[i])))
            return true;
    return false;
}

/* A file was asked for. The loader's own question is answered; libc's are denied, and that is
 * all; the name of any other is noted, and it is the end. */
static bool excuse(const siginfo_t *info, ucontext_t *u)
{
    const bool is_at = info->si_syscall == SYS_openat;
    greg_t *reg = u->uc_mcontext.gregs;
    const char *path = (const char *)reg[is_at ? REG_RSI : REG_RDI];
    const long flags = (long)reg[is_at ? REG_RDX : REG_RSI];

    if (!strict.is_on || (!is_at && info->si_syscall != SYS_open))
        return false;
    if (strict.path && !strcmp(path, strict.path)) {
        strict.path = NULL;
        lseek(strict.fd, 0, SEEK_SET);
        reg[REG_RAX] = dup(strict.fd);
        return true;
    }
    if (is_for_libc(path) && !(flags & O_CREAT)) {
        reg[REG_RAX] = -EACCES;
        return true;
    }
    snprintf(note->text, sizeof note->text, "%s%.90s",
             flags & (O_ACCMODE | O_CREAT) ? "for writing " : "", path);
    return false;
}

static void on_fatal(int number, siginfo_t *info, void *context)
{
    const ucontext_t *u = context;

    if (number == SIGSYS && excuse(info, context))
        return;
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
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        act.sa_flags &= ~(fatal[i] == SIGSYS ? (int)SA_RESETHAND : 0); /* it may come back */
        sigaction(fatal[i], &act, NULL);
        act.sa_flags |= (int)SA_RESETHAND;
    }
}
