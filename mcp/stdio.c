/* stdio.c - one message a line, from the standard input to the standard output.
 * Why the protocol goes to a copy of the standard output, which is then the standard error: whatever prints by mistake must not
 * look like a message. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands/command.h"
#include "mcp/mcp.h"

enum { MOST_FDS = 64, TICK_MS = 1000, GRACE_MS = 10000 };

struct pipes {
    int out;
    const volatile int *stop;
    struct aisp_buf in;
    bool skips_line, has_ended, is_closed;   /* the input; the output */
};

static bool is_stopped(const struct pipes *p)
{
    return p->stop && *p->stop;
}

/* ---- out ---- */

static void write_all(struct pipes *p, const char *bytes, size_t n)
{
    while (n && !p->is_closed && !is_stopped(p)) {
        const ssize_t written = write(p->out, bytes, n);
        struct pollfd fd = { p->out, POLLOUT, 0 };

        if (written > 0) {
            bytes += written;
            n -= (size_t)written;
        } else if (errno == EAGAIN) {
            poll(&fd, 1, TICK_MS);
        } else if (errno != EINTR) {
            p->is_closed = true;             /* nobody reads any more */
        }
    }
}

static void send_line(void *context, const json_t *message, bool is_last)
{
    char *text = message ? json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    size_t n;

    (void)is_last;
    if (!message)
        return;
    if (!text)
        AISP_BUG("a message that is no JSON");
    n = strlen(text);
    text[n] = '\n';                          /* in place of the zero */
    write_all(context, text, n + 1);
    free(text);
}

/* ---- in ---- */

static void take_line(struct aisp_mcp *mcp, struct pipes *p, const char *text, size_t n)
{
    const struct aisp_mcp_channel channel = { send_line, p };

    if (strspn(text, " \t\r") < n)
        aisp_mcp_take(mcp, text, n, "", channel);
}

static void refuse_line(struct pipes *p)
{
    json_t *error = aisp_rpc_error(NULL, AISP_RPC_INVALID_REQUEST, "a message has 1 MiB at most", NULL);

    send_line(p, error, true);
    json_decref(error);
    p->skips_line = true;
}

static void take_lines(struct aisp_mcp *mcp, struct pipes *p)
{
    size_t at = 0;
    char *end;

    while (at < p->in.len && (end = memchr(p->in.s + at, '\n', p->in.len - at))) {
        *end = '\0';
        if (!p->skips_line)
            take_line(mcp, p, p->in.s + at, (size_t)(end - p->in.s) - at);
        p->skips_line = false;
        at = (size_t)(end - p->in.s) + 1;
    }
    p->in.len -= at;
    if (p->in.len)
        memmove(p->in.s, p->in.s + at, p->in.len + 1);
    if (p->skips_line || p->in.len > AISP_MCP_MOST_BYTES) {
        if (!p->skips_line)
            refuse_line(p);
        p->in.len = 0;
    }
}

static void read_some(struct aisp_mcp *mcp, struct pipes *p)
{
    char bytes[65536];
    const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0) {
        aisp_buf_add(&p->in, bytes, (size_t)n);
        take_lines(mcp, p);
        return;
    }
    p->has_ended = true;
    if (p->in.len && !p->skips_line)         /* a last line without its end */
        take_line(mcp, p, p->in.s, p->in.len);
}

/* ---- the loop ---- */

static void wait_and_work(struct aisp_mcp *mcp, struct pipes *p)
{
    struct pollfd fd[MOST_FDS] = { { p->has_ended ? -1 : STDIN_FILENO, POLLIN, 0 } };
    const size_t n = 1 + aisp_mcp_fds(mcp, fd + 1, MOST_FDS - 1);

    poll(fd, (nfds_t)n, TICK_MS);
    if (fd[0].revents)
        read_some(mcp, p);
    aisp_mcp_work(mcp);
}

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The client closed its end: what is short may still be answered, what is long is interrupted. */
static void finish_up(struct aisp_mcp *mcp, struct pipes *p)
{
    const int64_t end = now_ms() + GRACE_MS;

    mcp->is_ending = true;
    for (struct aisp_mcp_call *call = mcp->calls; call; call = call->next)
        if (call->command->flags & (AISP_CMD_LONG | AISP_CMD_RUNS_CODE))
            aisp_mcp_call_cancel(call);
    while (mcp->calls && !p->is_closed && !is_stopped(p) && now_ms() < end)
        wait_and_work(mcp, p);
}

enum aisp_status aisp_mcp_stdio(struct aisp_mcp *mcp, const volatile int *stop, struct aisp_err *err)
{
    struct pipes p = { .out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), .stop = stop };
    enum aisp_status st = AISP_OK;

    if (p.out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        st = aisp_fail_errno(err, AISP_E_IO, "no standard output");
        goto out;
    }
    while (!p.has_ended && !p.is_closed && !is_stopped(&p))
        wait_and_work(mcp, &p);
    finish_up(mcp, &p);
    if (is_stopped(&p))
        st = aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
out:
    aisp_buf_release(&p.in);
    if (p.out >= 0)
        close(p.out);
    return st;
}
