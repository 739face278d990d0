/* filter.c - which system calls end a worker. A list of what is forbidden, since a list of what
 * is allowed would break with each library; what matters is outside: the supervisor's memory,
 * clock, files and processes.
 * Made once, as a program that a worker installs by itself: no library is needed there, and
 * starting stays quick. A forbidden call raises SIGSYS so that a note can name the call; the
 * handler cannot be replaced (see rt_sigaction). */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/forbidden.h"

#ifndef CLONE_THREAD
#define CLONE_THREAD 0x00010000
#endif

/* Of a worker alone: new processes, and files' attributes. Its wires are as they were laid: setsockopt. */
static const char *const forbidden[] = {
    "fork",  "vfork",  "execve",    "execveat",  "truncate",   "chmod",       "fchmodat",
    "chown", "lchown", "fchownat",  "setxattr",  "lsetxattr",  "removexattr", "lremovexattr",
    "utime", "utimes", "utimensat", "futimesat", "setsockopt", NULL,
};

/* Calls whose arguments decide. Own process: the marker stands for its id. */
static int add_by_argument(scmp_filter_ctx c)
{
    const uint32_t trap = SCMP_ACT_TRAP;
    const scmp_datum_t self = CPU_PID_MARKER;
    int bad = 0;

    bad |= seccomp_rule_add(c, trap, SCMP_SYS(kill), 1, SCMP_A0_32(SCMP_CMP_NE, self));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(tgkill), 1, SCMP_A0_32(SCMP_CMP_NE, self));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(rt_sigqueueinfo), 1, SCMP_A0_32(SCMP_CMP_NE, self));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(rt_tgsigqueueinfo), 1, SCMP_A0_32(SCMP_CMP_NE, self));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(prlimit64), 1, SCMP_A0_32(SCMP_CMP_NE, 0));
    bad |=
        seccomp_rule_add(c, trap, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(personality), 1, SCMP_A0_32(SCMP_CMP_NE, 0xffffffff));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(socket), 1, SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
    /* Some of libc asks a local daemon and takes no for an answer. */
    bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                            SCMP_A0_32(SCMP_CMP_EQ, AF_UNIX));
    /* libc then uses clone, whose flags can be seen here. */
    bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(io_uring_setup), 0);
    bad |= seccomp_rule_add(c, SCMP_ACT_KILL_PROCESS, SCMP_SYS(rt_sigaction), 1,
                            SCMP_A0_32(SCMP_CMP_EQ, SIGSYS));
    return bad;
}

/* Opening a file to write it, where Landlock is missing and the user could not be changed.
 * Denied and not fatal: libraries ask for /dev/null or a cache folder and do without. */
static int add_opening(scmp_filter_ctx c)
{
    static const int way[] = { O_WRONLY, O_RDWR };
    const uint32_t deny = SCMP_ACT_ERRNO(EACCES);
    int bad = 0;

    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        const scmp_datum_t flags = (scmp_datum_t)way[i];

        bad |= seccomp_rule_add(c, deny, SCMP_SYS(open), 1,
                                SCMP_A1(SCMP_CMP_MASKED_EQ, O_ACCMODE, flags));
        bad |= seccomp_rule_add(c, deny, SCMP_SYS(openat), 1,
                                SCMP_A2(SCMP_CMP_MASKED_EQ, O_ACCMODE, flags));
    }
    bad |=
        seccomp_rule_add(c, deny, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, O_CREAT, O_CREAT));
    bad |= seccomp_rule_add(c, deny, SCMP_SYS(openat), 1,
                            SCMP_A2(SCMP_CMP_MASKED_EQ, O_CREAT, O_CREAT));
    bad |= seccomp_rule_add(c, deny, SCMP_SYS(creat), 0);
    bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(openat2), 0);
    return bad;
}

/* New code, and code that is written over, for those who did not declare that they make any. Loading a library stays
 * possible: that maps a file, which nobody here can write. */
static int add_code(scmp_filter_ctx c)
{
    const uint32_t trap = SCMP_ACT_TRAP;
    int bad = 0;

    bad |= seccomp_rule_add(c, trap, SCMP_SYS(mprotect), 1,
                            SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(pkey_mprotect), 1,
                            SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    bad |= seccomp_rule_add(c, trap, SCMP_SYS(mmap), 2,
                            SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC),
                            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS));
    bad |= seccomp_rule_add(c, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(memfd_create), 0);
    return bad;
}

/* Files, for a stranger's variant: an honest kernel has none. The worker's handler lets the loader have the variant itself, and
 * tells libc that the few files it may look for are not there (worker/crash.c); all else is named, and is the end. */
static int add_strictness(scmp_filter_ctx c)
{
    static const char *const files[] = { "open",      "openat",    "openat2", "creat",    "mkdir",
                                         "mkdirat",   "rmdir",     "unlink",  "unlinkat", "rename",
                                         "renameat",  "renameat2", "link",    "linkat",   "symlink",
                                         "symlinkat", "socketpair" };
    int bad = 0;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const int number = seccomp_syscall_resolve_name(files[i]);

        if (number >= 0)
            bad |= seccomp_rule_add(c, SCMP_ACT_TRAP, number, 0);
    }
    /* Who outlives the supervisor is nobody's, and who is not dumpable is not seen by it. */
    bad |= seccomp_rule_add(c, SCMP_ACT_TRAP, SCMP_SYS(prctl), 1, SCMP_A0_32(SCMP_CMP_EQ, PR_SET_PDEATHSIG));
    return bad | seccomp_rule_add(c, SCMP_ACT_TRAP, SCMP_SYS(prctl), 1, SCMP_A0_32(SCMP_CMP_EQ, PR_SET_DUMPABLE));
}

/* [0]: for those who make no code, [1]: for those who may, [2]: strict, [3]: beside a driver. */
enum { STRICT = 2, FAR, N_PROGRAMS };
static struct sock_filter program[N_PROGRAMS][AISP_CHANNEL_FILTER_MAX];
static size_t n_program[N_PROGRAMS];

static void export_program(scmp_filter_ctx c, int which)
{
    const int fd = memfd_create("aisp-filter", MFD_CLOEXEC);
    ssize_t n;

    if (fd < 0)
        return;
    if (!seccomp_export_bpf(c, fd)) {
        n = pread(fd, program[which], sizeof program[which], 0);
        if (n > 0 && n < (ssize_t)sizeof program[which])
            n_program[which] = (size_t)n / sizeof **program;
    }
    close(fd);
}

static int trap_all(scmp_filter_ctx c, const char *const *name)
{
    int bad = 0;

    for (; *name; name++) {
        const int number = seccomp_syscall_resolve_name(*name);

        if (number >= 0)
            bad |= seccomp_rule_add(c, SCMP_ACT_TRAP, number, 0);
    }
    return bad;
}

static void make_program(int which)
{
    scmp_filter_ctx c = seccomp_init(SCMP_ACT_ALLOW);

    if (!c)
        return;
    seccomp_attr_set(c, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (!trap_all(c, aisp_forbidden_calls) && !trap_all(c, forbidden) && !add_by_argument(c) &&
        !(which == STRICT ? add_strictness(c) : which == FAR ? 0 : add_opening(c)) &&
        (which == 1 || which == FAR || !add_code(c)))
        export_program(c, which);
    seccomp_release(c);
}

bool cpu_makes_code(const struct aisp_declaration *decl)
{
    return aisp_declaration_uses(decl, "jit") || aisp_declaration_uses(decl, "library");
}

static void make_programs(void)
{
    for (int which = 0; which < N_PROGRAMS; which++)
        make_program(which);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

const struct sock_filter *cpu_strict_filter(size_t *n)
{
    pthread_once(&once, make_programs);
    *n = n_program[STRICT];
    return program[STRICT];
}

/* A driver opens its device for writing again and again; which files those are is Landlock's to say. */
const struct sock_filter *cpu_far_filter(size_t *n)
{
    pthread_once(&once, make_programs);
    *n = n_program[FAR];
    return program[FAR];
}

const struct sock_filter *cpu_filter(bool makes_code, size_t *n)
{
    pthread_once(&once, make_programs);
    *n = n_program[makes_code];
    return program[makes_code];
}

const char *cpu_call_name(int64_t number, char name[32])
{
    char *known = seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, (int)number);

    snprintf(name, 32, "%s", known ? known : "an unknown call");
    free(known);
    return name;
}
