/* judge_spawn.c - start aisp-judge-cuda, and end it. vfork, so that a supervisor with gigabytes
 * mapped starts it as quickly as a small one; between it and exec there are system calls only. The
 * judge is ours, so it keeps our environment: CUDA_VISIBLE_DEVICES chooses the device for both, and
 * the driver's and the linker's own variables go where they belong. It has a process group of its
 * own: an interrupt from the terminal is the supervisor's to deal with. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cuda/judge_inside.h"

static const char *other_program;

void cuda_judge_set_program(const char *path)
{
    other_program = path;
}

struct start {
    char path[4096];
    char *argv[3];
    int fd[3]; /* socket, mirror, log */
    pid_t parent;
    sigset_t signals;
};

static enum aisp_status find_program(char path[4096], struct aisp_err *err)
{
    ssize_t n;
    char *slash;

    if (other_program) {
        snprintf(path, 4096, "%s", other_program);
    } else {
        n = readlink("/proc/self/exe", path, 4096 - 32);
        if (n < 0)
            return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "/proc/self/exe");
        path[n] = 0;
        slash = strrchr(path, '/');
        strcpy(slash ? slash + 1 : path, "aisp-judge-cuda");
    }
    if (access(path, X_OK))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "%.400s", path);
    return AISP_OK;
}

/* In the child, which still shares the parent's memory. The signal comes when the thread that
 * starts it ends, so that must be one that stays. */
static _Noreturn void become_judge(struct start *start)
{
    static const int target[] = { WIRE_FD_SOCKET, WIRE_FD_MIRROR };
    const int null = open("/dev/null", O_RDONLY);
    int moved[3];

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != start->parent)
        _exit(126);
    for (int i = 0; i < 3; i++)
        moved[i] = fcntl(start->fd[i], F_DUPFD, 64);
    dup2(null, 0);
    dup2(moved[2], 1);
    dup2(moved[2], 2);
    for (int i = 0; i < 2; i++)
        dup2(moved[i], target[i]);
    syscall(SYS_close_range, WIRE_FD_MIRROR + 1, ~0u, 0);
    sigprocmask(SIG_SETMASK, &start->signals, NULL);
    execve(start->path, start->argv, environ);
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
        become_judge(start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static enum aisp_status make_channel(struct cuda_judge *j, int *far_end, struct aisp_err *err)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "socketpair");
    j->socket = pair[0];
    *far_end = pair[1];
    j->log_fd = memfd_create("aisp-judge-log", MFD_CLOEXEC);
    j->mirror_fd = memfd_create("aisp-judge-mirror", MFD_CLOEXEC);
    if (j->log_fd < 0 || j->mirror_fd < 0 || ftruncate(j->mirror_fd, WIRE_MIRROR))
        return aisp_fail_errno(err, AISP_E_NO_MEMORY, "memory that the CUDA judge shares");
    j->mirror = mmap(NULL, WIRE_MIRROR, PROT_READ | PROT_WRITE, MAP_SHARED, j->mirror_fd, 0);
    if (j->mirror == MAP_FAILED) {
        j->mirror = NULL;
        return aisp_fail_errno(err, AISP_E_NO_MEMORY, "memory that the CUDA judge shares");
    }
    for (int f = 0; f < WIRE_FRAMES; f++) {
        j->frame[f].at = WIRE_PAGE + (size_t)f * WIRE_FRAME;
        j->frame[f].data = j->mirror + j->frame[f].at;
    }
    return AISP_OK;
}

enum aisp_status judge_spawn(struct cuda_judge *j, const char *library, struct aisp_err *err)
{
    struct start start = { .fd = { -1, -1, -1 }, .parent = getpid() };
    enum aisp_status st;

    AISP_TRY(find_program(start.path, err));
    AISP_TRY(make_channel(j, &start.fd[0], err));
    start.argv[0] = (char[]){ "aisp-judge-cuda" };
    start.argv[1] = (char *)library;
    start.fd[1] = j->mirror_fd;
    start.fd[2] = j->log_fd;
    j->pid = start_process(&start);
    if (j->pid < 0) {
        st = aisp_fail_errno(err, AISP_E_NO_MEMORY, "starting %.400s", start.path);
        goto out;
    }
    j->pidfd = (int)syscall(SYS_pidfd_open, j->pid, 0);
out:
    if (start.fd[0] >= 0)
        close(start.fd[0]);
    return st;
}

void judge_last_words(struct cuda_judge *j, char words[200])
{
    char tail[400];
    const off_t size = lseek(j->log_fd, 0, SEEK_CUR), most = sizeof tail - 1;
    const off_t from = size - j->log_told > most ? size - most : j->log_told;
    const ssize_t n = size > from ? pread(j->log_fd, tail, (size_t)(size - from), from) : 0;
    char *line;

    words[0] = 0;
    j->log_told = size;
    if (n <= 0)
        return;
    tail[n] = 0;
    for (char *end = tail + n; end > tail && end[-1] == '\n';)
        *--end = 0;
    line = strrchr(tail, '\n');
    snprintf(words, 200, "%.199s", line ? line + 1 : tail);
    for (char *c = words; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}

void judge_end(struct cuda_judge *j, int64_t grace_ns, char how[300])
{
    struct pollfd p = { .fd = j->pidfd, .events = POLLIN };
    char words[200];
    int status, n = 0;

    if (j->pid <= 0)
        return;
    if (grace_ns == 0 || j->pidfd < 0 || poll(&p, 1, (int)(grace_ns / 1000000)) <= 0)
        kill(j->pid, SIGKILL);
    while (waitpid(j->pid, &status, 0) < 0)
        if (errno != EINTR) {
            j->pid = 0;
            return;
        }
    j->pid = 0;
    if (WIFSIGNALED(status))
        n = snprintf(how, 300, "signal %d", WTERMSIG(status));
    else
        n = snprintf(how, 300, "exit status %d", WEXITSTATUS(status));
    judge_last_words(j, words);
    if (*words)
        snprintf(how + n, (size_t)(300 - n), "; its log ends: %s", words);
}
