/* main.c - aisp-judge-cuda: the child of a supervisor that owns a device's memory and knows what
 * must be in it. Not for people: started by aisp with a socket and a memory file (judge_wire.h);
 * its argument is the driver's library, if that is not the usual one. It leaves when the other end
 * of the socket is closed. Why a process of its own: a context that meets a fault is lost for good,
 * and so must not be the supervisor's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge_cuda/program.h"

/* False when nobody is there any more. */
static bool receive(struct wire_batch *batch)
{
    ssize_t n;

    do
        n = recv(WIRE_FD_SOCKET, batch, sizeof *batch, MSG_TRUNC);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return false;
    if ((size_t)n < offsetof(struct wire_batch, op) || batch->mark != WIRE_MARK ||
        batch->n_ops > WIRE_OPS ||
        (size_t)n != offsetof(struct wire_batch, op) + batch->n_ops * sizeof *batch->op) {
        fprintf(stderr, "a message that is none\n");
        exit(1);
    }
    return true;
}

static bool send_reply(struct wire_reply *reply, const int *fd, int n_fds)
{
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(WIRE_FDS * sizeof *fd)] = { 0 };
    struct iovec part = { reply, sizeof *reply };
    struct msghdr m = { .msg_iov = &part, .msg_iovlen = 1 };
    ssize_t n;

    if (n_fds) {
        struct cmsghdr *c;

        m.msg_control = control;
        m.msg_controllen = CMSG_SPACE((size_t)n_fds * sizeof *fd);
        c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN((size_t)n_fds * sizeof *fd);
        memcpy(CMSG_DATA(c), fd, (size_t)n_fds * sizeof *fd);
    }
    do
        n = sendmsg(WIRE_FD_SOCKET, &m, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *reply;
}

/* A judge that did not start says so, whatever it is asked. */
static bool serve(struct judge *j, const struct wire_batch *batch, bool has_started)
{
    struct wire_reply reply = { .mark = WIRE_MARK,
                                .n_ops = batch->n_ops,
                                .sequence = batch->sequence };
    int fd[WIRE_FDS], n_fds = 0;
    bool is_sent;

    if (has_started) {
        j->status = AISP_OK;
        judge_do(j, batch, &reply, fd, &n_fds);
        if (j->status) /* what was begun must not touch the mirror when it is another's */
            j->cu.stream_synchronize(j->stream);
    }
    reply.status = (int32_t)j->status;
    snprintf(reply.text, sizeof reply.text, "%s", j->text);
    is_sent = send_reply(&reply, fd, j->status ? 0 : n_fds);
    for (int i = 0; i < n_fds; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    return is_sent;
}

int main(int argc, char **argv)
{
    static struct judge j;
    static struct wire_batch batch;
    struct stat file;
    void *mirror;

    if (fstat(WIRE_FD_MIRROR, &file) || file.st_size != WIRE_MIRROR) {
        fprintf(stderr, "aisp-judge-cuda is started by aisp, not by hand\n");
        return 2;
    }
    mirror = mmap(NULL, WIRE_MIRROR, PROT_READ | PROT_WRITE, MAP_SHARED, WIRE_FD_MIRROR, 0);
    if (mirror == MAP_FAILED)
        return 1;
    j.mirror = mirror;
    j.seen = mirror;
    judge_open(&j, argc > 1 ? argv[1] : NULL);
    for (const bool has_started = !j.status; receive(&batch);)
        if (!serve(&j, &batch, has_started))
            break;
    _exit(0); /* the kernel gives everything back, sooner than we could */
}
