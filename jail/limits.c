/* limits.c - what a build may use, and which system calls it may make. */
#include <grp.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/jail.h"

static bool limit(int what, uint64_t soft, uint64_t hard)
{
    const struct rlimit r = { soft, hard };

    return setrlimit((__rlimit_resource_t)what, &r) == 0;
}

void jail_become_nobody(struct jail *j)
{
    if (setgroups(0, NULL) || setresgid(JAIL_NOBODY, JAIL_NOBODY, JAIL_NOBODY) ||
        setresuid(JAIL_NOBODY, JAIL_NOBODY, JAIL_NOBODY))
        jail_fail(j, "another user");
}

/* Where the user is counted over the whole machine, others of that name need room too. */
static uint64_t most_processes(const struct aisp_jail_plan *p)
{
    return p->mode == AISP_JAIL_USER_NAMESPACES ? p->n_processes : p->n_processes + 4096;
}

void jail_limit(struct jail *j)
{
    const struct aisp_jail_plan *p = j->plan;
    struct sock_fprog program = { .len = (unsigned short)p->n_filter,
                                  .filter =
                                      (struct sock_filter *)(uintptr_t)jail_text(j, p->filter_at) };
    bool good = true;

    good = limit(RLIMIT_CORE, 0, 0) && good;
    good = limit(RLIMIT_CPU, p->cpu_s, p->cpu_s + 1) && good;
    good = limit(RLIMIT_FSIZE, p->file_bytes, p->file_bytes) && good;
    good = limit(RLIMIT_AS, p->memory_bytes, p->memory_bytes) && good;
    good = limit(RLIMIT_NPROC, most_processes(p), most_processes(p)) && good;
    good = limit(RLIMIT_NOFILE, 256, 256) && good;
    good = limit(RLIMIT_STACK, 8 << 20, 8 << 20) && good;
    good = limit(RLIMIT_MSGQUEUE, 0, 0) && limit(RLIMIT_RTPRIO, 0, 0) && good;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!p->n_filter || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))
        _exit(126); /* without it nothing is compiled */
    if (!good)
        _exit(125);
}
