/* main.c - aisp-jail: stands between a build and the host. Started by aisp with descriptors 3 to 5 (sandbox/plan.h); not for
 * people. Three processes: this one, which goes with aisp; the first process of a new process namespace, which makes the new
 * root, waits, and takes the product out; and the compiler. If aisp dies this one dies, then the namespace with all that is in
 * it, then its file systems, which were memory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail/jail.h"

static void write_report(const struct jail *j)
{
    if (pwrite(AISP_JAIL_FD_REPORT, &j->report, sizeof j->report, 0) < 0)
        _exit(1);
}

_Noreturn void jail_fail(struct jail *j, const char *what)
{
    j->report.error = errno ? errno : EINVAL;
    snprintf(j->report.failed, sizeof j->report.failed, "%s", what);
    write_report(j);
    _exit(1);
}

const char *jail_text(const struct jail *j, uint32_t at)
{
    return (const char *)j->plan + at;
}

static const struct aisp_jail_plan *read_plan(void)
{
    struct stat info;
    const struct aisp_jail_plan *plan;

    if (fstat(AISP_JAIL_FD_PLAN, &info) || info.st_size < (off_t)sizeof *plan)
        return NULL;
    plan = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, AISP_JAIL_FD_PLAN, 0);
    if (plan == MAP_FAILED || plan->version != AISP_JAIL_VERSION ||
        plan->total_bytes != info.st_size)
        return NULL;
    return plan;
}

static void write_text(struct jail *j, const char *path, const char *text)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        jail_fail(j, path);
    close(fd);
}

/* Root becomes nobody first: then a way out of the namespace would lead to nobody. */
static void enter_user_namespace(struct jail *j)
{
    char map[64];

    if (geteuid() == 0)
        jail_become_nobody(j);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    const uid_t uid = geteuid();
    const gid_t gid = getegid();

    if (unshare(CLONE_NEWUSER))
        jail_fail(j, "a user namespace");
    write_text(j, "/proc/self/setgroups", "deny");
    snprintf(map, sizeof map, "%d %d 1", JAIL_NOBODY, (int)uid);
    write_text(j, "/proc/self/uid_map", map);
    snprintf(map, sizeof map, "%d %d 1", JAIL_NOBODY, (int)gid);
    write_text(j, "/proc/self/gid_map", map);
}

static void die_with(struct jail *j, pid_t parent, int number)
{
    prctl(PR_SET_PDEATHSIG, number, 0, 0, 0);
    if (getppid() != parent) {
        errno = ESRCH;
        jail_fail(j, "its parent is gone");
    }
}

static _Noreturn void become_compiler(struct jail *j)
{
    const struct aisp_jail_plan *p = j->plan;
    const uint32_t *word = (const uint32_t *)(const void *)jail_text(j, p->words_at),
                   *env = (const uint32_t *)(const void *)jail_text(j, p->env_at);
    char *argv[128], *environment[16];
    uint32_t n = 0, m = 0;

    for (; n < p->n_words && n < 127; n++)
        argv[n] = (char *)(uintptr_t)jail_text(j, word[n]);
    for (; m < p->n_env && m < 15; m++)
        environment[m] = (char *)(uintptr_t)jail_text(j, env[m]);
    argv[n] = environment[m] = NULL;
    jail_limit(j);
    if (!n)
        _exit(0);
    close(AISP_JAIL_FD_PRODUCT);
    close(AISP_JAIL_FD_REPORT);
    close(AISP_JAIL_FD_PLAN);
    execve(argv[0], argv, environment);
    _exit(127);
}

/* The product is a plain file of bounded size, or there is none. */
static bool take_product(const struct jail *j)
{
    const int fd =
        open(jail_text(j, j->plan->product_at), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char part[65536];
    struct stat info;
    off_t at = 0;
    ssize_t n;

    if (fd < 0 || fstat(fd, &info) || !S_ISREG(info.st_mode) ||
        (uint64_t)info.st_size > j->plan->product_bytes)
        return false;
    while ((n = read(fd, part, sizeof part)) > 0 && (uint64_t)at <= j->plan->product_bytes) {
        if (pwrite(AISP_JAIL_FD_PRODUCT, part, (size_t)n, at) != n)
            return false;
        at += n;
    }
    close(fd);
    return n == 0;
}

static volatile sig_atomic_t is_told;

static void on_told(int number)
{
    (void)number;
    is_told = 1;
}

/* Only without a mount namespace is there a folder to empty. */
static void empty_folder(int folder, int depth)
{
    DIR *dir = depth > 0 && folder >= 0 ? fdopendir(dup(folder)) : NULL;
    struct dirent *e;

    while (dir && (e = readdir(dir))) {
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
            continue;
        if (unlinkat(folder, e->d_name, 0) && (errno == EISDIR || errno == EPERM)) {
            const int below =
                openat(folder, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

            empty_folder(below, depth - 1);
            if (below >= 0)
                close(below);
            unlinkat(folder, e->d_name, AT_REMOVEDIR);
        }
    }
    if (dir)
        closedir(dir);
}

/* Start the compiler, wait for it, end what it left. */
static void build(struct jail *j, bool has_namespaces)
{
    const pid_t child = fork();
    int status = 0;
    pid_t got;

    if (child < 0)
        jail_fail(j, "fork");
    if (child == 0) {
        if (!has_namespaces)
            setpgid(0, 0);
        become_compiler(j);
    }
    if (!has_namespaces)
        setpgid(child, child);
    while ((got = waitpid(child, &status, 0)) != child && !is_told)
        if (got < 0 && errno != EINTR)
            break;
    kill(has_namespaces ? -1 : -child, SIGKILL);
    while (waitpid(-1, got == child ? NULL : &status, 0) > 0 || errno == EINTR)
        ;
    j->report.wait_status = status;
    j->report.has_product = j->plan->n_words && !is_told && take_product(j);
}

/* A parent outside of the namespace has no number here that could be asked for. */
static bool is_gone(int pipe_end)
{
    struct pollfd p = { .fd = pipe_end, .events = POLLIN };

    return poll(&p, 1, 0) != 0;
}

static _Noreturn void in_namespaces(struct jail *j)
{
    const int spaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
    int alive[2]; /* whose writing end only the parent holds */
    pid_t first;

    if (j->plan->mode == AISP_JAIL_USER_NAMESPACES)
        enter_user_namespace(j);
    if (unshare(spaces))
        jail_fail(j, "namespaces");
    /* After the change of user, which forgets it. */
    die_with(j, j->plan->supervisor_pid, SIGKILL);
    if (pipe2(alive, O_CLOEXEC))
        jail_fail(j, "a pipe");
    first = fork();
    if (first < 0)
        jail_fail(j, "the first process of a namespace");
    if (first > 0) {
        close(alive[0]);
        while (waitpid(first, NULL, 0) < 0 && errno == EINTR)
            ;
        _exit(0);
    }
    close(alive[1]);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (is_gone(alive[0]))
        _exit(1);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    jail_make_root(j);
    jail_write_files(j);
    if (j->plan->mode == AISP_JAIL_ROOT_NAMESPACES)
        jail_become_nobody(j);
    build(j, true);
    j->report.is_whole = 1;
    write_report(j);
    _exit(0);
}

static _Noreturn void in_landlock(struct jail *j)
{
    const char *folder = jail_text(j, j->plan->folder_at);
    const struct sigaction act = { .sa_handler = on_told };
    int fd;

    sigaction(SIGTERM, &act, NULL);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fchdir(fd))
        jail_fail(j, "its folder");
    if (geteuid() == 0) {
        if (fchown(fd, JAIL_NOBODY, JAIL_NOBODY))
            jail_fail(j, "its folder's owner");
        jail_become_nobody(j);
    }
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    die_with(j, j->plan->supervisor_pid, SIGTERM);
    jail_write_files(j);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (!jail_landlock(j))
        jail_fail(j, "Landlock");
    build(j, false);
    empty_folder(fd, 8);
    j->report.is_whole = 1;
    write_report(j);
    _exit(0);
}

int main(void)
{
    static struct jail j;

    j.plan = read_plan();
    if (!j.plan)
        return 127;
    if (j.plan->mode == AISP_JAIL_LANDLOCK)
        in_landlock(&j);
    in_namespaces(&j);
}
