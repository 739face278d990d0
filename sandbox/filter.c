/* filter.c - system calls that no compiler needs. They fail; what a build then does is its own affair.
 * Not here: what holds a worker (backends/cpu/filter.c). */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/forbidden.h"
#include "sandbox/inside.h"

/* Of a build alone: signals to anybody, and ways out. */
static const char *const denied[] = {
    "kill",           "tgkill",     "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    "socket",         "socketpair", "connect",         "bind",
    "listen",         "accept",     "accept4",         "personality",
    "io_uring_setup", NULL,
};

static struct sock_filter program[AISP_JAIL_FILTER_MAX];
static size_t n_program;

static int deny_all(scmp_filter_ctx c, const char *const *name)
{
    int bad = 0;

    for (; *name; name++) {
        const int number = seccomp_syscall_resolve_name(*name);

        if (number >= 0)
            bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(EPERM), number, 0);
    }
    return bad;
}

static int add_rules(scmp_filter_ctx c)
{
    static const uint64_t spaces[] = { CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                       CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP };
    int bad = 0;

    bad |= deny_all(c, aisp_forbidden_calls);
    bad |= deny_all(c, denied);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, spaces[i], spaces[i]));
    /* libc then uses clone, whose flags can be seen. */
    return bad | seccomp_rule_add(c, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

static void make(void)
{
    scmp_filter_ctx c = seccomp_init(SCMP_ACT_ALLOW);
    const int fd = memfd_create("aisp-filter", MFD_CLOEXEC);
    ssize_t n = 0;

    if (c && fd >= 0 && !seccomp_attr_set(c, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) &&
        !add_rules(c) && !seccomp_export_bpf(c, fd))
        n = pread(fd, program, sizeof program, 0);
    if (n > 0 && n < (ssize_t)sizeof program)
        n_program = (size_t)n / sizeof *program;
    if (fd >= 0)
        close(fd);
    if (c)
        seccomp_release(c);
}

const struct sock_filter *aisp_sandbox_filter(size_t *n)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, make);
    *n = n_program;
    return program;
}
