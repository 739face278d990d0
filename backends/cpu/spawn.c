/* spawn.c - start a worker, know when it has died, end it. vfork, so that a supervisor with
 * gigabytes mapped starts a worker as quickly as a small one; everything between it and exec is
 * a system call. Addresses are not randomised by the kernel: the layout is the session's secret,
 * the same for both sides. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/clock.h"
#include "core/base/err.h"

static const char *other_worker;

void aisp_cpu_set_worker(const char *path)
{
    other_worker = path;
}

struct start {
    char path[4096], offset[24];
    char threads[4][48], blas[64], visible[96], libraries[4096];
    char *argv[3], *env[20];
    int fd[AISP_FD_AFTER_LAST]; /* what is to lie there, or -1 */
    int log, n_fds; /* fd[n_fds] and beyond are not given */
    cpu_set_t cpus;
    sigset_t signals;
};

static enum aisp_status find_worker(char path[4096], struct aisp_err *err)
{
    ssize_t n;
    char *slash;

    if (other_worker) {
        snprintf(path, 4096, "%s", other_worker);
        return AISP_OK;
    }
    n = readlink("/proc/self/exe", path, 4096 - 16);
    if (n < 0)
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "/proc/self/exe");
    path[n] = 0;
    slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "aisp-worker");
    if (access(path, X_OK))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "%s", path);
    return AISP_OK;
}

const char *cpu_openblas_core(const struct cpu_simd *simd)
{
    if (simd->has_avx512)
        return "SKYLAKEX";
    if (simd->has_avx2)
        return simd->is_amd ? "ZEN" : "HASWELL";
    return NULL;
}

/* What OpenBLAS is told of the core; NULL: it looks for itself. The user's own word goes before ours. */
static const char *openblas_core(void)
{
    const char *said = getenv("OPENBLAS_CORETYPE");
    const struct cpu_simd here = {
        .has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"),
        .has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"),
        .is_amd = __builtin_cpu_is("amd"),
    };

    return said && *said ? said : cpu_openblas_core(&here);
}

/* Nothing of the supervisor's environment goes in but what is named here, and both sides get the same bytes. Idle
 * library threads sleep: OpenBLAS's would else spin for 2^26 ticks after each call, in which other windows run; 4, the
 * least, are 16. */
static void make_environment(struct start *start, const struct aisp_session *s)
{
    static const char *const names[] = { "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                         "MKL_NUM_THREADS", "BLIS_NUM_THREADS" };
    static char fixed[][64] = {
        "PATH=/usr/bin:/bin",
        "LANG=C",
        "HOME=/",
        "OMP_WAIT_POLICY=passive",
        "OMP_DYNAMIC=false",
        "OPENBLAS_THREAD_TIMEOUT=4",
#ifdef AISP_SANITIZED
        "ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_abort=0",
        "TSAN_OPTIONS=handle_segv=0",
#endif
    };
    static char driver[][64] = { "CUDA_CACHE_DISABLE=1", "CUDA_MODULE_LOADING=EAGER" };
    const char *core = openblas_core();
    size_t n = 0;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        start->env[n++] = fixed[i];
    if (core) {
        snprintf(start->blas, sizeof start->blas, "OPENBLAS_CORETYPE=%s", core);
        start->env[n++] = start->blas;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(start->threads[i], sizeof start->threads[i], "%s=%d", names[i], s->n_threads);
        start->env[n++] = start->threads[i];
    }
    for (size_t i = 0; s->far && i < sizeof driver / sizeof *driver; i++)
        start->env[n++] = driver[i];
    if (s->far) {
        snprintf(start->visible, sizeof start->visible, "CUDA_VISIBLE_DEVICES=%s", s->far->visible);
        start->env[n++] = start->visible;
    }
    if (s->far && getenv("LD_LIBRARY_PATH")) { /* where a host keeps its driver; the user's word, not the variant's */
        snprintf(start->libraries, sizeof start->libraries, "LD_LIBRARY_PATH=%s", getenv("LD_LIBRARY_PATH"));
        start->env[n++] = start->libraries;
    }
}

/* In the child, which still shares the parent's memory: change no variable of it, call nothing
 * that does. */
static _Noreturn void become_worker(struct start *start)
{
    const int null = open("/dev/null", O_RDONLY);
    int moved[AISP_FD_AFTER_LAST], log;

    setpgid(0, 0);
    personality(ADDR_NO_RANDOMIZE);
    sched_setaffinity(0, sizeof start->cpus, &start->cpus);
    log = fcntl(start->log, F_DUPFD, start->n_fds);
    for (int i = AISP_FD_IN; i < start->n_fds; i++)
        moved[i] = start->fd[i] < 0 ? -1 : fcntl(start->fd[i], F_DUPFD, start->n_fds);
    dup2(null, 0);
    dup2(log, 1);
    dup2(log, 2);
    for (int i = AISP_FD_IN; i < start->n_fds; i++)
        if (moved[i] < 0)
            close(i);
        else
            dup2(moved[i], i);
    syscall(SYS_close_range, start->n_fds, ~0u, 0);
    if (chdir("/"))
        _exit(126);
    sigprocmask(SIG_SETMASK, &start->signals, NULL);
    execve(start->path, start->argv, start->env);
    _exit(126);
}

/* No handler of the parent's may run in the child while they share memory. */
static pid_t start_process(struct start *start)
{
    sigset_t all, before;
    pid_t pid;

    sigfillset(&all);
    sigemptyset(&start->signals);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = vfork();
    if (pid == 0)
        become_worker(start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static void open_views(struct cpu_worker *w, bool with_traffic)
{
    char path[64];

    w->pidfd = (int)syscall(SYS_pidfd_open, w->pid, 0);
    snprintf(path, sizeof path, "/proc/%d/stat", (int)w->pid);
    w->stat_fd = open(path, O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/%d/status", (int)w->pid);
    w->status_fd = open(path, O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/%d/io", (int)w->pid);
    w->io_fd = with_traffic ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (clock_getcpuclockid(w->pid, &w->clock))
        w->clock = CLOCK_MONOTONIC_RAW;
}

static void give_descriptors(const struct aisp_session *s, const struct cpu_worker *w, int fd[AISP_FD_AFTER_LAST])
{
    const struct cpu_meeting *m = &s->meeting[w->side];

    memset(fd, -1, AISP_FD_AFTER_LAST * sizeof *fd);
    fd[AISP_FD_IN] = s->files[w->rank].fd_in;
    fd[AISP_FD_OUT] = s->files[w->rank].fd_out;
    fd[AISP_FD_MEET] = m->fd;
    fd[AISP_FD_UP] = s->files[w->rank].fd_up[w->side];
    for (int r = 0; cpu_has_wires(s) && r < s->n_ranks; r++)
        fd[AISP_FD_WIRES + r] = m->wire[w->rank][r];
    for (int i = 0; i < s->n_files; i++)
        fd[AISP_FD_FILES + i] = s->file_fd[w->side][i];
    for (int i = 0; i < s->n_far; i++)
        fd[AISP_FD_FAR + i] = s->far_fd[i];
}

enum aisp_status cpu_spawn(struct aisp_session *s, struct cpu_worker *w, struct aisp_err *err)
{
    const struct cpu_files *f = &s->files[w->rank];
    struct start start = { .log = -1, .n_fds = AISP_FD_FAR + s->n_far, .cpus = cpu_cores_of(s, w->rank) };
    int variant = -1;
    enum aisp_status st;

    give_descriptors(s, w, start.fd);
    AISP_TRY(find_worker(start.path, err));
    snprintf(start.offset, sizeof start.offset, "%016llx",
             (unsigned long long)f->spec_offset[w->side]);
    start.argv[0] = (char[]){ "aisp-worker" };
    start.argv[1] = start.offset;
    make_environment(&start, s);
    start.fd[AISP_FD_VARIANT] = variant = open(w->path, O_RDONLY | O_CLOEXEC);
    if (variant < 0) {
        st = aisp_fail_errno(err, errno == ENOENT ? AISP_E_NOT_FOUND : AISP_E_IO, "%s", w->path);
        goto out;
    }
    w->log_fd = start.log = memfd_create("aisp-log", MFD_CLOEXEC);
    w->seq = 1;
    w->waited_ns = aisp_now_ns();
    w->pid = w->log_fd < 0 ? -1 : start_process(&start);
    if (w->pid < 0) {
        st = aisp_fail_errno(err, AISP_E_NO_MEMORY, "starting %s", start.path);
        goto out;
    }
    w->alive = true;
    open_views(w, cpu_has_wires(s));
out:
    if (variant >= 0)
        close(variant);
    return st;
}

bool cpu_reap(struct cpu_worker *w, bool block)
{
    struct pollfd p = { .fd = w->pidfd, .events = POLLIN };

    if (!w->alive)
        return true;
    if (!block && w->pidfd >= 0 && poll(&p, 1, 0) <= 0)
        return false;
    cpu_time_ns(w);
    for (;;) {
        const pid_t got = wait4(w->pid, &w->wait_status, block ? 0 : WNOHANG, &w->usage);

        if (got == 0)
            return false;
        if (got == w->pid || errno != EINTR)
            break;
    }
    w->alive = false;
    w->last_cpu_ns = (w->usage.ru_utime.tv_sec + w->usage.ru_stime.tv_sec) * 1000000000ll +
                     (w->usage.ru_utime.tv_usec + w->usage.ru_stime.tv_usec) * 1000ll;
    return true;
}

/* The group, in case the host could not keep it from having children. */
void cpu_kill(struct cpu_worker *w)
{
    if (!w->alive)
        return;
    kill(-w->pid, SIGKILL);
    kill(w->pid, SIGKILL);
    cpu_reap(w, true);
}

void cpu_worker_release(struct cpu_worker *w)
{
    const int fd[] = { w->pidfd, w->stat_fd, w->status_fd, w->log_fd, w->io_fd };

    cpu_kill(w);
    for (size_t i = 0; i < sizeof fd / sizeof *fd; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    free(w->begin);
    free(w->path);
}
