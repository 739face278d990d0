/* forbidden.c - the table, by what a call reaches. */
#include "core/base/forbidden.h"

#include <stddef.h>

/* clang-format off */
const char *const aisp_forbidden_calls[] = {
    /* other processes */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "tkill", "setsid", "setpgid", "process_mrelease",
    /* whom the scheduler prefers */
    "sched_setscheduler", "sched_setparam", "sched_setattr", "setpriority", "ioprio_set",
    /* what time it is, and what the host is called */
    "clock_settime", "clock_adjtime", "adjtimex", "settimeofday", "sethostname", "setdomainname",
    /* the file system and namespaces */
    "mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "fsopen", "fsmount",
    "fsconfig", "fspick", "mount_setattr", "unshare", "setns", "mknod", "mknodat", "swapon",
    "swapoff", "quotactl", "name_to_handle_at", "open_by_handle_at", "fanotify_init",
    /* the kernel */
    "bpf", "perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module",
    "kexec_load", "kexec_file_load", "reboot", "syslog", "acct", "iopl", "ioperm", "modify_ldt",
    "lookup_dcookie", "vhangup",
    /* other pages of a file than those that were mapped */
    "remap_file_pages",
    /* ways to others */
    "shmget", "shmat", "msgget", "semget", "mq_open", "keyctl", "add_key", "request_key",
    /* who one is */
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "capset",
    NULL,
};
/* clang-format on */
