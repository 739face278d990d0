/* kernel.c - what the kernel lets a program do, by trying: the facilities that measuring and caging are built on.
 * Not here: those that take more than a call or two (kernel_cages.c, kernel_ring.c).
 * Why each in a child: filters and namespaces stay, and a refusal may be a signal. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif
enum { NO_EFFECT = 255, LIMIT_S = 5, LOCKED_BYTES = 64 << 10 };

const char *aisp_probe_tried(int (*try)(void), char text[96])
{
    const pid_t pid = fork();
    int status, code;

    if (pid < 0)
        return strcpy(text, "not tried: no process could be made");
    if (!pid) {
        signal(SIGSYS, SIG_DFL);
        signal(SIGALRM, SIG_DFL);
        alarm(LIMIT_S);
        code = try();
        _exit(code < 0 ? NO_EFFECT : code < NO_EFFECT ? code : EIO);
    }
    if (waitpid(pid, &status, 0) != pid)
        return strcpy(text, "not tried: its process was lost");
    if (WIFSIGNALED(status))
        snprintf(text, 96, "killed by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == NO_EFFECT)
        strcpy(text, "let through, without effect");
    else
        snprintf(text, 96, "%s", WEXITSTATUS(status) ? strerror(WEXITSTATUS(status)) : "works");
    return text;
}

/* ---- tries: 0, an errno, or -1 ---- */

/* Asleep only if the word is what one thinks: it is not, so this answers at once. */
static int try_futex(void)
{
    uint32_t word = 1;

    if (syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0) < 0)
        return errno;
    if (syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0, NULL, NULL, 0) == 0)
        return -1;
    return errno == EAGAIN ? 0 : errno;
}

/* Open, count a little work, read: a counter that stays 0 counts nothing. */
static int try_counter(uint32_t type, uint64_t config)
{
    struct perf_event_attr attr = {
        .type = type, .size = sizeof attr, .config = config, .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1
    };
    const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    uint64_t counted = 0;

    if (fd < 0)
        return errno;
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    for (int i = 0; i < 1000000; i++)
        __asm__ volatile("" : : "r"(i)); /* a turn that stays */
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    if (read(fd, &counted, sizeof counted) != (ssize_t)sizeof counted)
        return errno;
    return counted ? 0 : -1;
}

static int try_cycles(void)
{
    return try_counter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
}

static int try_instructions(void)
{
    return try_counter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

static int try_misses(void)
{
    struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
                                    .size = sizeof attr,
                                    .config = PERF_COUNT_HW_CACHE_MISSES,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1 };

    return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC) < 0 ? errno : 0;
}

static int try_task_clock(void)
{
    return try_counter(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
}

/* Sealed, a file may not be mapped for writing again; the mapping from before stays. */
static int try_seal(void)
{
    const int fd = memfd_create("aisp-probe", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    char *before, *after;

    if (fd < 0 || ftruncate(fd, 4096))
        return errno;
    before = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (before == MAP_FAILED || fcntl(fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE))
        return errno;
    *before = 1;
    after = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return after == MAP_FAILED && errno == EPERM ? 0 : -1;
}

static int try_pidfd(void)
{
    return syscall(SYS_pidfd_open, getpid(), 0) < 0 ? errno : 0;
}

static int try_user_namespace(void)
{
    return unshare(CLONE_NEWUSER) ? errno : 0;
}

static int try_read_other(void)
{
    static char from = 7;
    const pid_t pid = fork();
    char to = 0;
    const struct iovec local = { &to, 1 }, remote = { &from, 1 };
    int code;

    if (pid < 0)
        return errno;
    if (!pid)
        for (;;)
            pause();
    code = process_vm_readv(pid, &local, 1, &remote, 1, 0) < 0 ? errno : to == 7 ? 0 : -1;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    return code;
}

static int try_lock(void)
{
    void *memory = mmap(NULL, LOCKED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED || mlock(memory, LOCKED_BYTES) ? errno : 0;
}

/* On each CPU that we may use, in turn. */
static int try_pin(void)
{
    cpu_set_t allowed, one;

    if (sched_getaffinity(0, sizeof allowed, &allowed))
        return errno;
    for (int i = 0; i < CPU_SETSIZE; i++) {
        if (!CPU_ISSET(i, &allowed))
            continue;
        CPU_ZERO(&one);
        CPU_SET(i, &one);
        if (sched_setaffinity(0, sizeof one, &one))
            return errno;
        if (sched_getcpu() != i)
            return -1;
    }
    return 0;
}

static int try_realtime(void)
{
    const struct sched_param param = { .sched_priority = 1 };

    return sched_setscheduler(0, SCHED_FIFO, &param) ? errno : 0;
}

/* The processor's own energy counter. */
static int try_energy(void)
{
    const int fd = open("/sys/class/powercap/intel-rapl:0/energy_uj", O_RDONLY | O_CLOEXEC);
    char text[32];

    if (fd < 0)
        return errno;
    return read(fd, text, sizeof text) > 0 ? 0 : errno;
}

json_t *aisp_probe_kernel(void)
{
    static const struct {
        const char *name;
        int (*try)(void);
        const char *what;
    } tries[] = {
        { "futex", try_futex, "threads wait for each other" },
        { "pinning", try_pin, "a thread stays on a CPU of its choice" },
        { "real-time", try_realtime, "a thread goes before all others (SCHED_FIFO)" },
        { "mlock", try_lock, "64 KiB are kept in memory" },
        { "memfd seal", try_seal, "memory that others can only read (F_SEAL_FUTURE_WRITE)" },
        { "process_vm_readv", try_read_other, "memory of a child is read" },
        { "pidfd", try_pidfd, "a process is named without races" },
        { "io_uring", aisp_try_io_uring, "a no-operation goes through a ring" },
        { "perf cycles", try_cycles, "hardware counter of cycles" },
        { "perf instructions", try_instructions, "hardware counter of instructions" },
        { "perf cache misses", try_misses, "hardware counter of cache misses" },
        { "perf task clock", try_task_clock, "software counter of CPU time" },
        { "energy counter", try_energy, "RAPL: energy of the package" },
        { "landlock", aisp_try_landlock, "a process gives up the file system" },
        { "seccomp", aisp_try_seccomp, "a process gives up a system call" },
        { "user namespace", try_user_namespace, "an unprivileged process has a root of its own" },
        { "cgroup", aisp_try_cgroup, "a group of its own is made and removed" },
    };
    json_t *rows = json_array();
    char text[96];

    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s}", "name", tries[i].name, "outcome",
                                              aisp_probe_tried(tries[i].try, text), "what", tries[i].what));
    return rows;
}
