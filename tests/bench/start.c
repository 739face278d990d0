/* start.c - how long the aisp beside this program takes from exec to exit, and how much memory.
 * Run before anything else: a child starts as an image of its parent, whose size the kernel counts
 * into the child's peak. */
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tests/bench/bench.h"

enum { STARTS = 41 };
extern char **environ;

static enum aisp_status beside(const char *name, char path[PATH_MAX], struct aisp_err *err)
{
    const ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 64);
    char *slash;

    if (n <= 0)
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "/proc/self/exe");
    path[n] = '\0';
    slash = strrchr(path, '/');
    strcpy(slash + 1, name);
    return AISP_OK;
}

static enum aisp_status start_once(char *const argv[], double *ms, double *peak_mib,
                                   struct aisp_err *err)
{
    posix_spawn_file_actions_t actions;
    const int64_t start_ns = aisp_now_ns();
    struct rusage usage;
    int failed, status;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    failed = posix_spawn(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: cannot be started: %s", argv[0],
                         strerror(failed));
    if (wait4(pid, &status, 0, &usage) != pid)
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "wait4");
    *ms = 1e-6 * (double)(aisp_now_ns() - start_ns);
    *peak_mib = (double)usage.ru_maxrss / 1024;
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return aisp_fail(err, AISP_E_WORKER, "%s %s: failed with wait status %d", argv[0], argv[1],
                         status);
    return AISP_OK;
}

static enum aisp_status measure(struct bench *bench, const char *what, char *const argv[],
                                struct aisp_err *err)
{
    struct bench_series ms = { 0 }, mib = { 0 };
    enum aisp_status st = AISP_OK;
    char line[64];

    for (int i = 0; i <= STARTS; i++) {
        double one_ms = 0, one_mib = 0;

        AISP_TRY(start_once(argv, &one_ms, &one_mib, err));
        if (i == 0)
            continue; /* from a cold page cache */
        bench_series_add(&ms, one_ms);
        bench_series_add(&mib, one_mib);
    }
    snprintf(line, sizeof line, "start: %s", what);
    bench_report(bench,
                 &(struct bench_figure){ .what = line,
                                         .unit = "ms",
                                         .value = bench_series_quantile(&ms, 0.5),
                                         .goal = 10,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = "<= 10 ms" },
                 "median %.1f ms, p95 %.1f (%d starts)", bench_series_quantile(&ms, 0.5),
                 bench_series_quantile(&ms, 0.95), STARTS);
    snprintf(line, sizeof line, "memory: %s", what);
    bench_report(bench,
                 &(struct bench_figure){ .what = line,
                                         .unit = "MiB",
                                         .value = bench_series_largest(&mib),
                                         .goal = 15,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = "<= 15 MiB" },
                 "peak resident %.1f MiB", bench_series_largest(&mib));
out:
    bench_series_release(&ms);
    bench_series_release(&mib);
    return st;
}

enum aisp_status bench_start(struct bench *bench, struct aisp_err *err)
{
    char path[PATH_MAX];
    char *const help[] = { path, "--help", NULL }, *const list[] = { path, "bench", "list-targets",
                                                                     NULL };
    enum aisp_status st;

    bench_report_section(bench, "start");
    AISP_TRY(beside("aisp", path, err));
    AISP_TRY(measure(bench, "aisp --help", help, err));
    st = measure(bench, "aisp bench list-targets", list, err);
out:
    return st;
}
