/* job.c - the child, its frames, and how it is stopped. A frame is a letter, its length, and so many bytes. */
#include "doors/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands/command.h"
#include "doors/http.h"

enum { NOTE = 'n', PROGRESS = 'p', LINE = 'l', EVENT = 'e', VALUE = 'v', TEXT = 't', GZIP = 'z',
       ERROR = '!', STATUS = 's', END = 'x' };
enum { HEAD = 5 };
/* Bytes: of one look, so that others are served between two of a long answer; of what was printed past the console. */
enum { MOST_AT_ONCE = 1 << 20, MOST_STRAY = 64 << 10 };

/* ---- in the child ---- */

static volatile int stop;

static void on_interrupt(int number)
{
    (void)number;
    if (stop)
        _exit(AISP_EXIT_INTERRUPTED);        /* the second one means it */
    stop = 1;
}

static void on_abort(int number)
{
    (void)number;
    _exit(AISP_EXIT_BUG);
}

static void watch_signals(void)
{
    static const int interrupts[] = { SIGINT, SIGTERM, SIGHUP },
                     plain[] = { SIGWINCH, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTSTP };
    struct sigaction interrupt = { .sa_handler = on_interrupt }, bug = { .sa_handler = on_abort };

    for (size_t i = 0; i < sizeof interrupts / sizeof *interrupts; i++)
        sigaction(interrupts[i], &interrupt, NULL);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        signal(plain[i], SIG_DFL);
    sigaction(SIGABRT, &bug, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static void send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;

    while (n) {
        const ssize_t written = write(fd, at, n);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {                  /* nobody listens any more: as if interrupted */
            stop = 1;
            return;
        }
        at += written;
        n -= (size_t)written;
    }
}

static void send_bytes(int fd, char kind, const void *bytes, size_t length)
{
    const uint32_t n = (uint32_t)length;
    char head[HEAD] = { kind };

    memcpy(head + 1, &n, sizeof n);
    send_all(fd, head, sizeof head);
    send_all(fd, bytes, n);
}

static void send_frame(int fd, char kind, const char *text) { send_bytes(fd, kind, text, strlen(text)); }

static void send_json(int fd, char kind, const json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);

    if (!text)
        AISP_BUG("a value that is no JSON");
    send_frame(fd, kind, text);
    free(text);
}

static void send_end(int fd, int exit_code)
{
    char text[16];

    snprintf(text, sizeof text, "%d", exit_code);
    send_frame(fd, END, text);
}

static void send_error(int fd, const struct aisp_err *err)
{
    char text[16];

    snprintf(text, sizeof text, "%d", (int)err->status);
    send_frame(fd, STATUS, text);
    send_frame(fd, ERROR, err->text);
}

/* Compressed here, where nobody else waits for it. */
static void send_text(int fd, const struct aisp_buf *text, int wants)
{
    void *packed = NULL;
    size_t n;

    send_frame(fd, TEXT, text->s);
    if (wants & AISP_JOB_WANTS_GZIP)
        packed = aisp_http_gzip(text->s, text->len, &n);
    if (packed)
        send_bytes(fd, GZIP, packed, n);
    free(packed);
}

static void say_note(void *context, const char *line) { send_frame(*(int *)context, NOTE, line); }
static void say_progress(void *context, const char *line) { send_frame(*(int *)context, PROGRESS, line); }
static void say_line(void *context, const char *line) { send_frame(*(int *)context, LINE, line); }
static void say_event(void *context, const json_t *event) { send_json(*(int *)context, EVENT, event); }

static int run_parsed(const struct aisp_args *args, const char *topic, int fd, int wants, int columns)
{
    const bool is_json = args->command && aisp_args_flag(args, "json");
    const bool wants_lines = wants & AISP_JOB_WANTS_TEXT && !(wants & AISP_JOB_WANTS_VALUE) && !is_json;
    const struct aisp_console console = { say_note, say_progress, &fd, &stop, wants_lines ? say_line : NULL, say_event };
    const struct aisp_style style = { wants & AISP_JOB_WANTS_COLOR, columns };
    struct aisp_err err = { AISP_OK, "" };
    struct aisp_buf out = AISP_BUF_INIT;
    json_t *value = NULL;
    int exit_code = AISP_EXIT_OK;

    if (!args->command) {
        aisp_help_topic(topic, &out);
    } else if (aisp_args_flag(args, "help")) {
        aisp_help_command(args->command, &out);
    } else if (args->command->flags & AISP_CMD_TERMINAL) {
        send_frame(fd, ERROR, "this one needs a terminal of its own");
        return AISP_EXIT_USAGE;
    } else if (aisp_command_run(args, &console, &value, &exit_code, &err)) {
        send_error(fd, &err);
        return exit_code;
    }
    if (value && wants & AISP_JOB_WANTS_TEXT)
        aisp_command_text(args, value, &style, &out);
    if (value && wants & AISP_JOB_WANTS_VALUE)
        send_json(fd, VALUE, value);
    if (out.s && (!value || wants & AISP_JOB_WANTS_TEXT))
        send_text(fd, &out, wants);
    return exit_code;
}

static _Noreturn void work(const struct aisp_words *words, int fd, int wants, int columns)
{
    struct aisp_args args;
    struct aisp_err err = { AISP_OK, "" };
    const char *topic;
    int exit_code;

    if (aisp_args_parse(&args, (int)words->n, (const char *const *)words->word, &topic, &err)) {
        send_error(fd, &err);
        exit_code = AISP_EXIT_USAGE;
    } else {
        exit_code = run_parsed(&args, topic, fd, wants, columns);
    }
    send_end(fd, exit_code);
    _exit(exit_code);
}

/* A group of its own: what the terminal sends to the one in front must not interrupt a measurement behind our back. */
static void leave_terminal(pid_t parent, int stray_fd)
{
    const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

    setpgid(0, 0);
    watch_signals();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(AISP_EXIT_INTERRUPTED);
    dup2(null, STDIN_FILENO);
    dup2(stray_fd, STDOUT_FILENO);
    dup2(stray_fd, STDERR_FILENO);
}

/* ---- in the parent ---- */

enum aisp_status aisp_job_start(struct aisp_job *job, const struct aisp_words *words, int wants, int columns,
                                struct aisp_err *err)
{
    int frames[2] = { -1, -1 }, stray[2] = { -1, -1 };
    const pid_t parent = getpid();
    pid_t pid = -1;

    *job = (struct aisp_job)AISP_JOB_INIT;
    if (!pipe2(frames, O_CLOEXEC) && !pipe2(stray, O_CLOEXEC))
        pid = fork();
    if (pid == 0) {
        leave_terminal(parent, stray[1]);
        work(words, frames[1], wants, columns);
    }
    if (pid < 0)
        aisp_fail_errno(err, AISP_E_IO, "no process for \"aisp %s\"", words->n ? words->word[0] : "");
    close(frames[1]);
    close(stray[1]);
    if (pid < 0) {
        close(frames[0]);
        close(stray[0]);
        return AISP_E_IO;
    }
    setpgid(pid, pid);                       /* whoever of the two comes first */
    fcntl(frames[0], F_SETFL, O_NONBLOCK);
    fcntl(stray[0], F_SETFL, O_NONBLOCK);
    job->pid = pid;
    job->fd = frames[0];
    job->stray_fd = stray[0];
    return AISP_OK;
}

static void keep_text(char **to, const char *text)
{
    free(*to);
    *to = aisp_xstrdup(text);
}

static void keep_gzip(struct aisp_answer *answer, const void *bytes, size_t n)
{
    free(answer->gzip);
    answer->gzip = memcpy(aisp_xmalloc(n), bytes, n);
    answer->gzip_n = n;
}

static void take_frame(struct aisp_job *job, char kind, const char *text, aisp_job_listener *listener, void *context)
{
    json_t *event = NULL;

    switch (kind) {
    case VALUE:
        json_decref(job->answer.value);
        job->answer.value = json_loads(text, JSON_DECODE_ANY, NULL);
        break;
    case TEXT:
        keep_text(&job->answer.text, text);
        break;
    case ERROR:
        keep_text(&job->answer.error, text);
        break;
    case STATUS:
        job->answer.status = (enum aisp_status)atoi(text);
        break;
    case END:
        job->answer.exit_code = atoi(text);
        job->has_end = true;
        break;
    case EVENT:
        event = json_loads(text, 0, NULL);
        if (listener && event)
            listener(context, AISP_JOB_EVENT, text, event);
        json_decref(event);
        break;
    default:
        if (listener)
            listener(context, kind == NOTE ? AISP_JOB_NOTE : kind == PROGRESS ? AISP_JOB_PROGRESS : AISP_JOB_LINE, text, NULL);
    }
}

/* Whole frames out of what has come. */
static void take_frames(struct aisp_job *job, aisp_job_listener *listener, void *context)
{
    size_t at = 0;

    while (job->in.len - at >= HEAD) {
        uint32_t n;
        char *text;

        memcpy(&n, job->in.s + at + 1, sizeof n);
        if (job->in.len - at - HEAD < n)
            break;
        if (job->in.s[at] == GZIP) {
            keep_gzip(&job->answer, job->in.s + at + HEAD, n);
        } else {
            text = aisp_format("%.*s", (int)n, job->in.s + at + HEAD);
            take_frame(job, job->in.s[at], text, listener, context);
            free(text);
        }
        at += HEAD + n;
    }
    if (!at)
        return;
    memmove(job->in.s, job->in.s + at, job->in.len - at);
    job->in.len -= at;
}

/* False at the end. */
static bool take_bytes(int fd, struct aisp_buf *to)
{
    char bytes[16384];
    ssize_t n;

    for (size_t taken = 0; taken < MOST_AT_ONCE; taken += (size_t)n) {
        n = read(fd, bytes, sizeof bytes);
        if (n <= 0)
            return n < 0 && (errno == EAGAIN || errno == EINTR);
        aisp_buf_add(to, bytes, (size_t)n);
    }
    return true;
}

/* Of which the end is of use. */
static void take_stray(struct aisp_job *job)
{
    take_bytes(job->stray_fd, &job->stray);
    if (job->stray.len <= MOST_STRAY)
        return;
    memmove(job->stray.s, job->stray.s + job->stray.len - MOST_STRAY, MOST_STRAY);
    job->stray.s[job->stray.len = MOST_STRAY] = '\0';
}

static void close_pipes(struct aisp_job *job)
{
    if (job->fd >= 0)
        close(job->fd);
    if (job->stray_fd >= 0)
        close(job->stray_fd);
    job->fd = job->stray_fd = -1;
}

/* It ended without saying how: its last printed line may. */
static void explain_end(struct aisp_job *job, int status)
{
    const char *last = job->stray.s ? job->stray.s : "";
    int n = (int)strlen(last);

    while (n > 0 && last[n - 1] == '\n')
        n--;
    for (const char *line; (line = memchr(last, '\n', (size_t)n)); ) {
        n -= (int)(line + 1 - last);
        last = line + 1;
    }
    free(job->answer.error);
    job->answer.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : AISP_EXIT_BUG;
    if (n)
        job->answer.error = aisp_format("%.*s", n, last);
    else if (WIFSIGNALED(status))
        job->answer.error = aisp_format("ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        job->answer.error = aisp_format("ended with %d without an answer", job->answer.exit_code);
}

bool aisp_job_read(struct aisp_job *job, aisp_job_listener *listener, void *context)
{
    int status = 0;
    bool is_open;

    if (!job->pid)
        return false;
    is_open = take_bytes(job->fd, &job->in);
    take_stray(job);
    take_frames(job, listener, context);
    if (is_open && !job->has_end)
        return false;
    while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR)
        ;
    take_stray(job);
    job->pid = 0;
    close_pipes(job);
    if (!job->has_end)
        explain_end(job, status);
    return true;
}

void aisp_job_stop(struct aisp_job *job)
{
    if (job->pid)
        kill(job->pid, job->n_stops++ < 2 ? SIGINT : SIGKILL);
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool aisp_job_wait(struct aisp_job *job, int timeout_ms)
{
    const int64_t end = now_ms() + timeout_ms;

    while (job->pid && !aisp_job_read(job, NULL, NULL)) {
        struct pollfd fd[] = { { job->fd, POLLIN, 0 }, { job->stray_fd, POLLIN, 0 } };
        const int64_t left = end - now_ms();

        if (left <= 0)
            return false;
        poll(fd, 2, (int)left);
    }
    return true;
}

static void forget(struct aisp_job *job)
{
    close_pipes(job);
    aisp_buf_release(&job->in);
    aisp_buf_release(&job->stray);
    json_decref(job->answer.value);
    free(job->answer.text);
    free(job->answer.error);
    free(job->answer.gzip);
    *job = (struct aisp_job)AISP_JOB_INIT;
}

void aisp_job_release(struct aisp_job *job)
{
    if (job->pid) {
        if (!job->n_stops)
            aisp_job_stop(job);
        if (!aisp_job_wait(job, 10000)) {
            kill(job->pid, SIGKILL);
            aisp_job_wait(job, 10000);
        }
    }
    forget(job);
}

void aisp_job_drop(struct aisp_job *job)
{
    if (job->pid) {
        kill(job->pid, SIGKILL);
        while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    forget(job);
}

bool aisp_job_is_too_long(struct aisp_job *job)
{
    if (!job->pid || job->in.len <= AISP_JOB_MOST_BYTES)
        return false;
    aisp_job_drop(job);
    job->answer.exit_code = AISP_EXIT_USAGE;
    job->answer.error = aisp_format("the answer is over %d MiB; ask for less of it", AISP_JOB_MOST_BYTES >> 20);
    return true;
}
