/* sandbox.c - start a build, watch it, understand how it ended.
 * Why the supervisor reads the messages itself: their length is a limit, and their end is the end of every process in there,
 * since each of them holds the pipe. */
#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "sandbox/inside.h"

enum { HIGH_FD = 64, MAX_JOBS = 64, TICK_MS = 50 };
static const int64_t END_NS = 2000000000;

const struct aisp_sandbox_limits aisp_sandbox_limits = {
    .cpu_s = 5,
    .wall_ns = INT64_C(30000000000),
    .memory_bytes = UINT64_C(1) << 30,
    .space_bytes = UINT64_C(64) << 20,
    .product_bytes = UINT64_C(16) << 20,
    .message_bytes = 1 << 20,
    .n_includes = 1000,
    .n_processes = 32,
};

struct aisp_sandbox {
    struct aisp_sandbox_limits limits;
    enum aisp_jail_mode mode;
    pid_t pid;
    int pidfd, said, product, report;
    bool is_dead, is_told;       /* told: an end has been ordered */
    enum aisp_sandbox_end order; /* why, if is_told */
    int64_t start_ns, end_ns;
    struct rusage usage;
    struct aisp_messages messages;
};

static const char *const end_names[AISP_N_SANDBOX_ENDS] = {
    "built",         "compile-error",     "compile-missing-file", "compile-time",  "compile-memory",
    "compile-space", "compile-processes", "compile-includes",     "compile-flood", "compiler-crash",
};

const char *aisp_sandbox_end_name(enum aisp_sandbox_end end)
{
    return (unsigned)end < AISP_N_SANDBOX_ENDS ? end_names[end] : "?";
}

const char *aisp_sandbox_mode_name(enum aisp_jail_mode mode)
{
    return mode == AISP_JAIL_LANDLOCK ? "landlock" : "namespaces";
}

static const char *other_jail;

void aisp_sandbox_set_jail(const char *path)
{
    other_jail = path;
}

static void jail_path(char path[4096])
{
    ssize_t n = other_jail ? 0 : readlink("/proc/self/exe", path, 4096 - 16);
    char *slash;

    if (other_jail) {
        snprintf(path, 4096, "%s", other_jail);
        return;
    }
    path[n > 0 ? n : 0] = '\0';
    slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "aisp-jail");
}

/* High, so that no descriptor is overwritten while they are put into their places. */
static int high(int fd)
{
    const int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);

    if (fd >= 0)
        close(fd);
    return moved;
}

static int memory_file(const char *name, const void *bytes, size_t n)
{
    const int fd = high(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));

    for (size_t at = 0; fd >= 0 && at < n;) {
        const ssize_t wrote = pwrite(fd, (const char *)bytes + at, n - at, (off_t)at);

        if (wrote <= 0) {
            close(fd);
            return -1;
        }
        at += (size_t)wrote;
    }
    return fd;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Nothing of the supervisor's environment or descriptors goes in. */
static int spawn(struct aisp_sandbox *job, int plan, int out)
{
    const int given[] = { plan, job->product, job->report };
    char path[4096], name[] = "aisp-jail", *argv[] = { name, NULL }, *env[] = { NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    int failed;

    jail_path(path);
    sigemptyset(&none);
    sigfillset(&usual);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
    for (int i = 0; i < 3; i++)
        posix_spawn_file_actions_adddup2(&actions, given[i], AISP_JAIL_FD_PLAN + i);
    posix_spawn_file_actions_addclosefrom_np(&actions, AISP_JAIL_FD_AFTER_LAST);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    failed = posix_spawn(&job->pid, path, &actions, &attributes, argv, env);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    errno = failed;
    return failed;
}

static enum aisp_status start(const struct aisp_sandbox_spec *spec, enum aisp_jail_mode mode,
                              const char *folder, struct aisp_sandbox **out, struct aisp_err *err)
{
    struct aisp_sandbox *job = aisp_xcalloc(1, sizeof *job);
    struct aisp_buf bytes = AISP_BUF_INIT;
    enum aisp_status st = AISP_OK;
    int plan, pipe_fd[2] = { -1, -1 };

    *job =
        (struct aisp_sandbox){ .mode = mode, .pid = -1, .pidfd = -1, .said = -1, .is_dead = true };
    job->limits = spec ? spec->limits : aisp_sandbox_limits;
    aisp_sandbox_plan(spec, mode, folder, &bytes);
    plan = memory_file("aisp-plan", bytes.s, bytes.len);
    aisp_buf_release(&bytes);
    job->product = memory_file("aisp-product", NULL, 0);
    job->report = memory_file("aisp-report", NULL, 0);
    job->start_ns = aisp_now_ns();
    if (plan < 0 || job->product < 0 || job->report < 0 || pipe2(pipe_fd, O_CLOEXEC)) {
        st = aisp_fail_errno(err, AISP_E_NO_MEMORY, "files for a build");
        goto out;
    }
    pipe_fd[1] = high(pipe_fd[1]);
    job->said = pipe_fd[0];
    fcntl(job->said, F_SETFL, O_NONBLOCK);
    if (spawn(job, plan, pipe_fd[1])) {
        st = aisp_fail_errno(err, AISP_E_UNAVAILABLE,
                             "aisp-jail, beside this program, cannot be started");
        goto out;
    }
    job->is_dead = false;
    job->pidfd = (int)syscall(SYS_pidfd_open, job->pid, 0);
out:
    close_one(&plan);
    close_one(&pipe_fd[1]);
    if (st)
        aisp_sandbox_free(job);
    else
        *out = job;
    return st;
}

enum aisp_status aisp_sandbox_start(const struct aisp_sandbox_spec *spec, struct aisp_sandbox **job,
                                    struct aisp_err *err)
{
    return start(spec, spec->mode, spec->folder, job, err);
}

/* With a process namespace all that is in it goes with its first process. Without one the jail is asked: it ends the group
 * and empties the folder. */
static void end(struct aisp_sandbox *job, enum aisp_sandbox_end why)
{
    if (!job->is_told)
        job->order = why;
    job->is_told = true;
    if (!job->is_dead)
        kill(job->pid, job->mode == AISP_JAIL_LANDLOCK ? SIGTERM : SIGKILL);
}

static void listen_to(struct aisp_sandbox *job)
{
    char part[16384];
    ssize_t n;

    while (job->said >= 0 && (n = read(job->said, part, sizeof part)) != 0) {
        if (n < 0 && errno != EINTR)
            break;
        if (n > 0)
            aisp_messages_add(&job->messages, part, (size_t)n);
        if (job->messages.n > job->limits.message_bytes)
            end(job, AISP_SANDBOX_MESSAGES);
        if (job->messages.n_includes > job->limits.n_includes)
            end(job, AISP_SANDBOX_INCLUDES);
        if (job->is_told)
            break;
    }
    if (job->said >= 0 && n == 0)
        close_one(&job->said);
}

static void reap(struct aisp_sandbox *job, bool block)
{
    pid_t got = 0;

    while (!job->is_dead && (got = wait4(job->pid, NULL, block ? 0 : WNOHANG, &job->usage)) < 0 &&
           errno == EINTR)
        ;
    if (!job->is_dead && got)
        job->is_dead = true;
}

/* Has it ended, with everything that it started? */
static bool is_over(struct aisp_sandbox *job)
{
    const int64_t now = aisp_now_ns();

    listen_to(job);
    if (now - job->start_ns > job->limits.wall_ns)
        end(job, AISP_SANDBOX_TIME);
    reap(job, false);
    if (!job->is_dead)
        return false;
    listen_to(job);
    if (!job->end_ns)
        job->end_ns = now;
    return job->said < 0 || job->is_told || now - job->end_ns > END_NS;
}

enum aisp_status aisp_sandbox_wait(struct aisp_sandbox *const *job, size_t n,
                                   const volatile int *stop, size_t *which, struct aisp_err *err)
{
    struct pollfd p[2 * MAX_JOBS];

    for (;;) {
        if (stop && *stop)
            return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
        for (*which = 0; *which < n; ++*which)
            if (is_over(job[*which]))
                return AISP_OK;
        for (size_t i = 0; i < n && i < MAX_JOBS; i++) {
            p[2 * i] =
                (struct pollfd){ .fd = job[i]->is_dead ? -1 : job[i]->pidfd, .events = POLLIN };
            p[2 * i + 1] = (struct pollfd){ .fd = job[i]->said, .events = POLLIN };
        }
        poll(p, 2 * (n < MAX_JOBS ? n : MAX_JOBS), TICK_MS);
    }
}

/* ---- how it ended ---- */

static int64_t cpu_ns(const struct rusage *u)
{
    return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * INT64_C(1000000000) +
           (u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000;
}

static bool says_any(const struct aisp_messages *m, const char *const *text)
{
    for (; *text; text++)
        if (aisp_messages_say(m, *text))
            return true;
    return false;
}

/* What a limit looks like from inside, in the words of compilers and the C library. Whoever writes such words into the source
 * is rejected for another reason than the true one, and that is all. */
static enum aisp_sandbox_end of_refusal(const struct aisp_sandbox *job,
                                        const struct aisp_jail_report *report)
{
    static const char *const space[] = { "No space left on device", "File size limit exceeded",
                                         "File too large", NULL };
    static const char *const memory[] = { "out of memory",
                                          "virtual memory exhausted",
                                          "Cannot allocate memory",
                                          "memory exhausted",
                                          "bad_alloc",
                                          NULL };
    static const char *const processes[] = { "Resource temporarily unavailable", NULL };
    static const char *const time[] = { "CPU time limit exceeded", NULL };
    static const char *const missing[] = { "No such file or directory", "file not found",
                                           "can't open", "Permission denied", NULL };
    static const char *const includes[] = { "#include nested depth", "#include nested too deeply",
                                            NULL };
    static const char *const crash[] = { "internal compiler error", "signal terminated program",
                                         "PLEASE submit a bug report", NULL };
    const struct aisp_messages *m = &job->messages;
    const int status = report->wait_status;

    if (cpu_ns(&job->usage) >= (int64_t)job->limits.cpu_s * 1000000000 || says_any(m, time))
        return AISP_SANDBOX_TIME;
    if (says_any(m, space))
        return AISP_SANDBOX_SPACE;
    if (says_any(m, memory))
        return AISP_SANDBOX_MEMORY;
    if (says_any(m, processes))
        return AISP_SANDBOX_PROCESSES;
    if (says_any(m, includes))
        return AISP_SANDBOX_INCLUDES;
    if (says_any(m, crash) || WIFSIGNALED(status) || WEXITSTATUS(status) > 120)
        return AISP_SANDBOX_CRASHED;
    return says_any(m, missing) ? AISP_SANDBOX_MISSING_FILE : AISP_SANDBOX_REFUSED;
}

static enum aisp_sandbox_end of_report(struct aisp_sandbox *job,
                                       const struct aisp_jail_report *report)
{
    const int status = report->wait_status;
    off_t bytes;

    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return of_refusal(job, report);
    bytes = lseek(job->product, 0, SEEK_END);
    if (!report->has_product || bytes <= 0 || (uint64_t)bytes > job->limits.product_bytes)
        return AISP_SANDBOX_SPACE;
    return AISP_SANDBOX_BUILT;
}

static enum aisp_status read_report(struct aisp_sandbox *job, struct aisp_jail_report *report,
                                    struct aisp_err *err)
{
    const ssize_t n = pread(job->report, report, sizeof *report, 0);

    if (n != (ssize_t)sizeof *report)
        *report = (struct aisp_jail_report){ 0 };
    report->failed[sizeof report->failed - 1] = '\0';
    if (report->is_whole || job->is_told)
        return AISP_OK;
    errno = report->error;
    if (report->error)
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "a sandbox cannot be made: %s",
                               report->failed);
    return aisp_fail(err, AISP_E_UNAVAILABLE,
                     "a sandbox cannot be made: aisp-jail ended without a word");
}

/* Nobody can change it from here on; the memory is given back with the last descriptor. */
static bool seal(int fd)
{
    return !fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

enum aisp_status aisp_sandbox_result(struct aisp_sandbox *job, struct aisp_sandbox_result *result,
                                     struct aisp_err *err)
{
    struct aisp_jail_report report;
    enum aisp_status st;

    *result = (struct aisp_sandbox_result){ .product_fd = -1 };
    AISP_TRY(read_report(job, &report, err));
    result->end = job->is_told ? job->order : of_report(job, &report);
    result->message_bytes = job->messages.n;
    result->n_includes = job->messages.n_includes;
    result->wall_ns = job->end_ns - job->start_ns;
    result->cpu_ns = cpu_ns(&job->usage);
    aisp_messages_clean(&job->messages, result->message, sizeof result->message);
    if (result->end != AISP_SANDBOX_BUILT)
        return AISP_OK;
    if (!seal(job->product))
        return aisp_fail_errno(err, AISP_E_IO, "sealing what was built");
    result->product_fd = job->product;
    job->product = -1;
out:
    return st;
}

void aisp_sandbox_free(struct aisp_sandbox *job)
{
    if (!job)
        return;
    end(job, AISP_SANDBOX_TIME);
    if (job->mode == AISP_JAIL_LANDLOCK) {
        const int64_t until = aisp_now_ns() + END_NS;
        struct pollfd p = { .fd = job->pidfd, .events = POLLIN };

        while (!job->is_dead && aisp_now_ns() < until) {
            reap(job, false);
            if (!job->is_dead)
                poll(&p, 1, TICK_MS);
        }
        if (!job->is_dead)
            kill(job->pid, SIGKILL);
    }
    reap(job, true);
    close_one(&job->pidfd);
    close_one(&job->said);
    close_one(&job->product);
    close_one(&job->report);
    free(job);
}

/* ---- which mode ---- */

static enum aisp_status try_mode(enum aisp_jail_mode mode, const char *folder, struct aisp_err *err)
{
    struct aisp_sandbox *job = NULL;
    struct aisp_sandbox_result result;
    enum aisp_status st;
    size_t which;

    AISP_TRY(start(NULL, mode, folder, &job, err));
    AISP_TRY(aisp_sandbox_wait(&job, 1, NULL, &which, err));
    AISP_TRY(aisp_sandbox_result(job, &result, err));
out:
    aisp_sandbox_free(job);
    return st;
}

enum aisp_status aisp_sandbox_mode(enum aisp_jail_mode asked, const char *folder,
                                   enum aisp_jail_mode *mode, struct aisp_err *err)
{
    static const enum aisp_jail_mode best[] = { AISP_JAIL_USER_NAMESPACES,
                                                AISP_JAIL_ROOT_NAMESPACES, AISP_JAIL_LANDLOCK };
    struct aisp_err why = { AISP_OK, "" };

    for (size_t i = 0; i < sizeof best / sizeof *best; i++) {
        if ((asked != AISP_JAIL_ANY && asked != best[i]) ||
            (best[i] == AISP_JAIL_ROOT_NAMESPACES && geteuid()))
            continue;
        if (!try_mode(best[i], folder, &why)) {
            *mode = best[i];
            return AISP_OK;
        }
    }
    return aisp_fail(err, AISP_E_UNAVAILABLE, "code that nobody trusts is not compiled here: %s",
                     why.text);
}
