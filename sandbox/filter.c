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

#include "sandbox/inside.h"

static const char *const denied[] = {
    /* others */
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "kcmp",
    "pidfd_open",
    "pidfd_getfd",
    "pidfd_send_signal",
    "kill",
    "tkill",
    "tgkill",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "setsid",
    "setpgid",
    "setpriority",
    "sched_setscheduler",
    "sched_setattr",
    "sched_setparam",
    "ioprio_set",
    "process_mrelease",
    /* ways out */
    "socket",
    "socketpair",
    "connect",
    "bind",
    "listen",
    "accept",
    "accept4",
    "shmget",
    "shmat",
    "msgget",
    "semget",
    "mq_open",
    "keyctl",
    "add_key",
    "request_key",
    "io_uring_setup",
    "name_to_handle_at",
    "open_by_handle_at",
    /* the root that was made for it */
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "open_tree",
    "move_mount",
    "fsopen",
    "fsmount",
    "fsconfig",
    "fspick",
    "mount_setattr",
    "unshare",
    "setns",
    "mknod",
    "mknodat",
    "swapon",
    "swapoff",
    "quotactl",
    "fanotify_init",
    /* the kernel */
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "init_module",
    "finit_module",
    "delete_module",
    "kexec_load",
    "kexec_file_load",
    "reboot",
    "syslog",
    "acct",
    "iopl",
    "ioperm",
    "modify_ldt",
    "lookup_dcookie",
    "vhangup",
    "sethostname",
    "setdomainname",
    "clock_settime",
    "clock_adjtime",
    "adjtimex",
    "settimeofday",
    "personality",
    "setuid",
    "setgid",
    "setreuid",
    "setregid",
    "setresuid",
    "setresgid",
    "setgroups",
    "capset",
};

static struct sock_filter program[AISP_JAIL_FILTER_MAX];
static size_t n_program;

static int add_rules(scmp_filter_ctx c)
{
    static const uint64_t spaces[] = { CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                       CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP };
    int bad = 0;

    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) {
        const int number = seccomp_syscall_resolve_name(denied[i]);

        if (number >= 0)
            bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(EPERM), number, 0);
    }
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
