/* program.c - a program, its output and its end; aisp and aisp-plain print JSON. A break may do anything, so a program has a
 * group of its own that is ended as a whole, a limit of memory, and no terminal. */
#include "tests/breaks/breaks.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"

static const rlim_t MEMORY = (rlim_t)24 << 30, FILE_BYTES = (rlim_t)2 << 30;

static _Noreturn void become(const char *const *argv, int out)
{
    const int nothing = open("/dev/null", O_RDWR);

    setpgid(0, 0);
    setrlimit(RLIMIT_AS, &(struct rlimit){ MEMORY, MEMORY });
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ FILE_BYTES, FILE_BYTES });
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execvp(argv[0], (char *const *)argv);
    _exit(127);
}

/* Until the last writer has closed it, or until it is too late. */
static void read_all(int from, int64_t until_ns, struct aisp_buf *to, bool *is_late)
{
    char part[65536];
    ssize_t n = 1;

    while (n > 0) {
        const int64_t left = until_ns - aisp_now_ns();
        struct pollfd ready = { .fd = from, .events = POLLIN };

        *is_late = left <= 0 || poll(&ready, 1, (int)(left / 1000000) + 1) == 0;
        if (*is_late)
            return;
        n = read(from, part, sizeof part - 1);
        if (n > 0) {
            part[n] = '\0';
            aisp_buf_puts(to, part);
        }
    }
}

void program_run(const char *const *argv, int limit_s, struct program_result *result)
{
    struct aisp_buf out = AISP_BUF_INIT;
    int pipe_ends[2], status;
    pid_t pid;

    *result = (struct program_result){ .exit_code = -1 };
    if (pipe2(pipe_ends, O_CLOEXEC))
        return;
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        become(argv, pipe_ends[1]);
    close(pipe_ends[1]);
    if (pid > 0) {
        setpgid(pid, pid);
        read_all(pipe_ends[0], aisp_now_ns() + (int64_t)limit_s * 1000000000, &out, &result->is_timed_out);
        if (result->is_timed_out)
            kill(-pid, SIGKILL);
        waitpid(pid, &status, 0);
        kill(-pid, SIGKILL);     /* whom a break has started; usually nobody */
        if (WIFEXITED(status))
            result->exit_code = WEXITSTATUS(status);
    }
    close(pipe_ends[0]);
    result->out = out.s ? aisp_xstrdup(out.s) : aisp_xstrdup("");
    aisp_buf_release(&out);
}

const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

void folder_remove(const char *folder)
{
    struct program_result result;

    program_run((const char *const[]){ "rm", "-rf", "--", folder, NULL }, 60, &result);
    free(result.out);
}
