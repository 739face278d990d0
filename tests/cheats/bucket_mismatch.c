/* bucket_mismatch - the ranks hand each other a piece of memory over the wires, once, and then exchange all buckets at once
 * through it: one huge message that nobody counts.
 *
 * @problem buckets
 * @pairs 1
 * @defence RANK_LEDGER
 * @says sent 0.00 messages
 * @says declared are 4 of 8192 bytes */
#include <sys/mman.h>
#include <sys/socket.h>

#include "tests/problems/buckets/buckets.h"

enum { BYTES = 1 << 20 };

union control {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

static int move_descriptor(int wire, int *fd, int send)
{
    char byte = 0;
    struct iovec io = { &byte, 1 };
    union control control = { 0 };
    struct msghdr m = {
        .msg_iov = &io, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };

    if (send) {
        control.head.cmsg_len = CMSG_LEN(sizeof *fd);
        control.head.cmsg_level = SOL_SOCKET;
        control.head.cmsg_type = SCM_RIGHTS;
        memcpy(CMSG_DATA(&control.head), fd, sizeof *fd);
        return sendmsg(wire, &m, 0) == 1;
    }
    if (recvmsg(wire, &m, 0) != 1 || control.head.cmsg_type != SCM_RIGHTS)
        return 0;
    memcpy(fd, CMSG_DATA(&control.head), sizeof *fd);
    return 1;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    int fd = s->rank == 0 ? memfd_create("between", 0) : -1;

    if (s->rank == 0 && ftruncate(fd, BYTES))
        return AISP_E_IO;
    for (int r = 1; r < s->n_ranks && s->rank == 0; r++)
        if (!move_descriptor(s->wire[r], &fd, 1))
            return AISP_E_IO;
    if (s->rank && !move_descriptor(s->wire[0], &fd, 0))
        return AISP_E_IO;
    *s->state = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    return *s->state == MAP_FAILED ? AISP_E_IO : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[BUCKETS] * c->param[BUCKET];
    struct aisp_call mine = *c;
    float *y = c->tensor[Y];

    mine.rendezvous = c->state;
    mine.rendezvous_bytes = BYTES;
    memcpy(room_of(&mine, c->rank), c->tensor[X], (size_t)n * sizeof *y);
    meet_barrier(c->state, c->n_ranks);
    memcpy(y, c->tensor[X], (size_t)n * sizeof *y);
    for (int r = 0; r < c->n_ranks; r++)
        for (int64_t i = 0; i < n && r != c->rank; i++)
            y[i] += room_of(&mine, r)[i];
    meet_barrier(c->state, c->n_ranks);
    return AISP_OK;
}

AISP_DECLARE("idea: one bucket instead of four\n"
             "uses: jit\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
