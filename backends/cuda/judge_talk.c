/* judge_talk.c - send batches to the judge and make use of its replies. Not here: what is asked
 * (judge.c), the process (judge_spawn.c). Why replies are checked: the judge is ours, but it
 * runs a problem's own kernel, and what goes wrong there must end as one line and not as a wrong
 * verdict. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backends/cuda/judge_inside.h"
#include "core/base/clock.h"

static const int64_t default_patience_ns = 60000000000;
static int64_t patience_ns = default_patience_ns;

void cuda_judge_set_timeout(int64_t ns)
{
    patience_ns = ns ? ns : default_patience_ns;
}

static void remember(struct cuda_judge *j, const struct aisp_err *failure)
{
    if (!j->failure.status)
        j->failure = *failure;
}

/* From here on all calls fail with this line. */
static void lose(struct cuda_judge *j, int64_t grace_ns, const char *what)
{
    struct aisp_err failure;
    char how[300] = "";

    judge_end(j, grace_ns, how);
    aisp_fail(&failure, AISP_E_DEVICE, "the CUDA judge %s%s%s", what, *how ? ": " : "", how);
    remember(j, &failure);
    j->is_dead = true;
    for (int f = 0; f < WIRE_FRAMES; f++)
        j->frame[f].is_under_way = false;
}

static void start_over(struct judge_frame *f)
{
    f->used = 0;
    f->batch.n_ops = 0;
    f->patience_ns = 0;
}

/* False when time is up. */
static bool wait_readable(int fd, int64_t ns)
{
    const int64_t end = aisp_now_ns() + ns;

    for (;;) {
        const int64_t left = end - aisp_now_ns();
        struct pollfd p = { .fd = fd, .events = POLLIN };
        const int n = poll(&p, 1, left > 0 ? (int)(left / 1000000) + 1 : 0);

        if (n > 0)
            return true;
        if (n == 0 && left <= 0)
            return false;
        if (n < 0 && errno != EINTR)
            return false;
    }
}

static void close_all(const int *fd, int n)
{
    for (int i = 0; i < n; i++)
        close(fd[i]);
}

/* The number of bytes, 0 when the judge has left. fd[]: what came with it. */
static ssize_t receive(struct cuda_judge *j, struct wire_reply *reply, int fd[WIRE_FDS], int *n_fds)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(WIRE_FDS * sizeof *fd)];
    struct iovec part = { reply, sizeof *reply };
    struct msghdr m = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
    };
    ssize_t n;

    *n_fds = 0;
    do
        n = recvmsg(j->socket, &m, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    for (struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
            *n_fds = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof *fd);
            memcpy(fd, CMSG_DATA(c), (size_t)*n_fds * sizeof *fd);
        }
    return n < 0 ? 0 : m.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? 1 : n;
}

static bool makes_sense(const struct judge_frame *f, const struct wire_reply *r, ssize_t n,
                        int n_fds)
{
    int wanted = 0;

    if (n != sizeof *r || r->mark != WIRE_MARK || r->sequence != f->batch.sequence ||
        r->n_ops != f->batch.n_ops || r->status < 0 || r->status >= AISP_N_STATUS)
        return false;
    for (uint32_t i = 0; i < f->batch.n_ops; i++)
        wanted += f->wish[i].fd != NULL;
    return n_fds == (r->status ? 0 : wanted);
}

static void grant_wishes(const struct judge_frame *f, const struct wire_reply *r, const int *fd)
{
    for (uint32_t i = 0; i < f->batch.n_ops; i++) {
        const struct judge_wish *wish = &f->wish[i];

        if (wish->to)
            memcpy(wish->to, f->data + (f->batch.op[i].at - f->at), wish->n);
        if (wish->value)
            *wish->value = r->value[i];
        if (wish->fd)
            *wish->fd = *fd++;
    }
}

static void collect(struct cuda_judge *j, struct judge_frame *f)
{
    struct wire_reply reply;
    int fd[WIRE_FDS], n_fds;
    char words[200];
    ssize_t n;

    if (!f->is_under_way)
        return;
    f->is_under_way = false;
    if (!wait_readable(j->socket, f->patience_ns > patience_ns ? f->patience_ns : patience_ns)) {
        lose(j, 0, "did not answer in time and was ended");
        return;
    }
    n = receive(j, &reply, fd, &n_fds);
    if (n == 0) {
        lose(j, 2000000000, "died");
        return;
    }
    if (!makes_sense(f, &reply, n, n_fds)) {
        close_all(fd, n_fds);
        lose(j, 0, "gave an answer that is none and was ended");
        return;
    }
    if (reply.status) {
        struct aisp_err failure;

        reply.text[sizeof reply.text - 1] = 0;
        judge_last_words(j, words);
        aisp_fail(&failure, (enum aisp_status)reply.status, "%s%s%s", reply.text,
                  *words ? "; its log ends: " : "", words);
        remember(j, &failure);
        return;
    }
    grant_wishes(f, &reply, fd);
}

void judge_submit(struct cuda_judge *j)
{
    struct judge_frame *f = &j->frame[j->current], *other = &j->frame[1 - j->current];
    const size_t bytes = offsetof(struct wire_batch, op) + f->batch.n_ops * sizeof *f->batch.op;

    if (f->batch.n_ops && !j->is_dead) {
        f->batch.mark = WIRE_MARK;
        f->batch.sequence = ++j->sequence;
        if (send(j->socket, &f->batch, bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)bytes)
            f->is_under_way = true;
        else if (errno == EAGAIN)
            lose(j, 0, "takes no more messages and was ended");
        else
            lose(j, 2000000000, "died");
    }
    collect(j, other);
    j->current = 1 - j->current;
    start_over(other);
}

char *judge_at(struct cuda_judge *j, const struct wire_op *op)
{
    return j->mirror + op->at;
}

struct wire_op *judge_next(struct cuda_judge *j, enum wire_kind kind, int buffer, size_t n,
                           struct judge_wish wish)
{
    struct judge_frame *f = &j->frame[j->current];
    struct wire_op *op;

    if (n > WIRE_FRAME)
        AISP_BUG("%zu bytes for one frame", n);
    if (f->batch.n_ops == WIRE_OPS || n > WIRE_FRAME - f->used) {
        judge_submit(j);
        f = &j->frame[j->current];
    }
    f->wish[f->batch.n_ops] = wish;
    op = &f->batch.op[f->batch.n_ops++];
    *op = (struct wire_op){ .kind = kind, .buffer = buffer, .n = n, .at = f->at + f->used };
    f->used += (n + 63) & ~(size_t)63;
    return op;
}

/* Not in crumbs: what is left of a frame counts only if it is a good part of one. */
size_t judge_portion(struct cuda_judge *j, uint64_t n, size_t unit)
{
    size_t room = WIRE_FRAME - j->frame[j->current].used;

    if (n <= room)
        return (size_t)n;
    if (room < WIRE_FRAME / 4)
        room = WIRE_FRAME;
    return n <= room ? (size_t)n : room / unit * unit;
}

void judge_be_patient(struct cuda_judge *j, int64_t ns)
{
    struct judge_frame *f = &j->frame[j->current];

    f->patience_ns = f->patience_ns > ns ? f->patience_ns : ns;
}

enum aisp_status judge_finish(struct cuda_judge *j, struct aisp_err *err)
{
    enum aisp_status st;

    judge_submit(j);
    collect(j, &j->frame[1 - j->current]);
    start_over(&j->frame[0]);
    start_over(&j->frame[1]);
    st = j->failure.status;
    if (st && err)
        *err = j->failure;
    if (!j->is_dead)
        j->failure.status = AISP_OK;
    return st;
}
