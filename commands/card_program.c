/* card_program.c - start it, read until it ends or its time is over, look at the shape of what it said. */
#include "commands/card_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands/place.h"
#include "core/base/buf.h"

enum { FORMAT = 1, MOST_BYTES = 1 << 20, LOOK_MS = 50, KILL_MS = 2000 };

static const char *program;

void aisp_card_set_program(const char *path)
{
    program = path;
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- the process ---- */

struct process {
    pid_t pid;
    int out;
};

static enum aisp_status start(const char *path, const struct aisp_card_question *q, struct process *p, struct aisp_err *err)
{
    const char *argv[6] = { path };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int n = 1, fd[2], failed;

    if (q->quick)
        argv[n++] = "--quick";
    if (q->only) {
        argv[n++] = "--only";
        argv[n++] = q->only;
    }
    if (pipe2(fd, O_CLOEXEC))
        return aisp_fail_errno(err, AISP_E_IO, "no pipe to the card's program");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, fd[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    failed = posix_spawn(&p->pid, path, &actions, &attributes, (char *const *)argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    close(fd[1]);
    p->out = fd[0];
    if (!failed)
        return AISP_OK;
    close(fd[0]);
    errno = failed;
    return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "%s does not start", path);
}

/* Until it closes its output. */
static enum aisp_status listen_to(const struct process *p, const struct aisp_card_question *q, struct aisp_buf *said,
                                  struct aisp_err *err)
{
    const int64_t end_ns = now_ns() + q->limit_ns;

    for (;;) {
        struct pollfd waits = { .fd = p->out, .events = POLLIN };
        char part[4096];
        ssize_t n;

        if (q->stop && *q->stop)
            return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
        if (now_ns() >= end_ns)
            return aisp_fail(err, AISP_E_WORKER, "the card's program gave no answer in %lld s and was killed",
                             (long long)((q->limit_ns + 999999999) / 1000000000));
        if (poll(&waits, 1, LOOK_MS) <= 0)
            continue;
        n = read(p->out, part, sizeof part);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return AISP_OK;
        aisp_buf_add(said, part, (size_t)n);
        if (said->len > MOST_BYTES)
            return aisp_fail(err, AISP_E_WORKER, "the card's program does not stop printing");
    }
}

/* Kills what is left of it unless it may end by itself. A process that a driver holds does not even die of that: it is left. */
static bool reap(const struct process *p, bool may_end, int *status)
{
    const struct timespec pause = { 0, 2000000 };
    const int64_t end_ns = now_ns() + (int64_t)KILL_MS * 1000000;

    if (!may_end)
        kill(-p->pid, SIGKILL);
    for (;;) {
        const pid_t got = waitpid(p->pid, status, WNOHANG);

        if (got == p->pid || (got < 0 && errno != EINTR))
            return got == p->pid;
        if (now_ns() > end_ns) {
            kill(-p->pid, SIGKILL);
            return false;
        }
        nanosleep(&pause, NULL);
    }
}

static enum aisp_status run(const char *path, const struct aisp_card_question *q, struct aisp_buf *said, struct aisp_err *err)
{
    struct process p;
    enum aisp_status st = start(path, q, &p, err);
    int status = 0;
    bool is_gone;

    if (st)
        return st;
    st = listen_to(&p, q, said, err);
    close(p.out);
    is_gone = reap(&p, st == AISP_OK, &status);
    if (st)
        return st;
    if (!is_gone)
        return aisp_fail(err, AISP_E_WORKER, "the card's program did not end");
    if (WIFSIGNALED(status))
        return aisp_fail(err, AISP_E_WORKER, "the card's program was killed by signal %d (%s)", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    if (WEXITSTATUS(status))
        return aisp_fail(err, AISP_E_WORKER, "the card's program left with exit code %d", WEXITSTATUS(status));
    return AISP_OK;
}

/* ---- what it said ---- */

static bool has_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));

    return text && *text;
}

/* A number above 0, or nothing with a reason. */
static bool is_peak(const json_t *row)
{
    const json_t *value = json_object_get(row, "value");

    if (!has_text(row, "name") || !has_text(row, "unit") || !has_text(row, "what"))
        return false;
    return json_is_number(value) ? json_number_value(value) > 0 : json_is_null(value) && has_text(row, "unavailable");
}

static bool is_feature(const json_t *row)
{
    const char *answer = json_string_value(json_object_get(row, "answer"));

    return has_text(row, "name") && has_text(row, "what") && answer &&
           (!strcmp(answer, "yes") || !strcmp(answer, "no") || !strcmp(answer, "error"));
}

static bool all_are(const json_t *value, const char *key, bool (*is_right)(const json_t *row))
{
    const json_t *rows = json_object_get(value, key), *row;
    size_t i;

    json_array_foreach(rows, i, row) if (!is_right(row)) return false;
    return json_is_array(rows);
}

static enum aisp_status believe(const json_t *value, struct aisp_err *err)
{
    const char *name = json_string_value(json_object_get(value, "program"));

    if (!name || strcmp(name, "aisp-peak-cuda"))
        return aisp_fail(err, AISP_E_WORKER, "the card's program printed something else than its answer");
    if (json_integer_value(json_object_get(value, "format")) != FORMAT)
        return aisp_fail(err, AISP_E_WORKER, "the card's program is of another version: build it again");
    if (has_text(value, "unavailable"))
        return aisp_fail(err, AISP_E_UNAVAILABLE, "%s", json_string_value(json_object_get(value, "unavailable")));
    if (!has_text(json_object_get(value, "card"), "name") || !all_are(value, "peaks", is_peak) ||
        !all_are(value, "features", is_feature))
        return aisp_fail(err, AISP_E_WORKER, "the card's program printed an answer with parts missing");
    return AISP_OK;
}

enum aisp_status aisp_card_ask(const struct aisp_card_question *question, json_t **value, struct aisp_err *err)
{
    char *const path = program ? aisp_xstrdup(program) : aisp_place_beside("aisp-peak-cuda");
    struct aisp_buf said = AISP_BUF_INIT;
    json_t *answer = NULL;
    enum aisp_status st;

    if (!aisp_place_is_file(path)) {
        st = aisp_fail(err, AISP_E_UNAVAILABLE, "no program that measures cards (aisp-peak-cuda): it is built where nvcc is found");
        goto out;
    }
    AISP_TRY(run(path, question, &said, err));
    answer = json_loadb(said.s ? said.s : "", said.len, JSON_REJECT_DUPLICATES, NULL);
    AISP_TRY(believe(answer, err));
    *value = json_incref(answer);
out:
    json_decref(answer);
    aisp_buf_release(&said);
    free(path);
    return st;
}
