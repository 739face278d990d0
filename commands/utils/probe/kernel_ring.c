/* kernel_ring.c - io_uring by trying: a ring is made, one no-operation goes in and comes out.
 * By system calls alone, for one try is no reason to link a library. */
#include <errno.h>
#include <linux/io_uring.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"

enum { MARK = 0x5a5a };

struct ring {
    int fd;
    struct io_uring_params params;
    char *submit, *complete;
    struct io_uring_sqe *entry;
};

static bool map(struct ring *r)
{
    const struct io_uring_params *p = &r->params;
    const size_t submit = p->sq_off.array + p->sq_entries * sizeof(uint32_t);
    const size_t complete = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);

    r->submit = mmap(NULL, submit, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQ_RING);
    r->complete = mmap(NULL, complete, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_CQ_RING);
    r->entry = mmap(NULL, p->sq_entries * sizeof *r->entry, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, IORING_OFF_SQES);
    return r->submit != MAP_FAILED && r->complete != MAP_FAILED && (void *)r->entry != MAP_FAILED;
}

static uint32_t *word(char *ring, uint32_t offset)
{
    return (uint32_t *)(void *)(ring + offset);
}

/* The child that tries it ends right after, and with it the ring. */
int aisp_try_io_uring(void)
{
    struct ring r = { .fd = -1 };
    const struct io_uring_cqe *done;
    uint32_t tail;

    r.fd = (int)syscall(SYS_io_uring_setup, 1, &r.params);
    if (r.fd < 0 || !map(&r))
        return errno;
    memset(r.entry, 0, sizeof *r.entry);
    r.entry->opcode = IORING_OP_NOP;
    r.entry->user_data = MARK;
    tail = *word(r.submit, r.params.sq_off.tail);
    *word(r.submit, r.params.sq_off.array + (tail & *word(r.submit, r.params.sq_off.ring_mask)) * (uint32_t)sizeof tail) = 0;
    __atomic_store_n(word(r.submit, r.params.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, r.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
        return errno;
    done = (const struct io_uring_cqe *)(const void *)(r.complete + r.params.cq_off.cqes);
    return __atomic_load_n(word(r.complete, r.params.cq_off.tail), __ATOMIC_ACQUIRE) == 1 && done->user_data == MARK &&
                   !done->res
               ? 0
               : -1;
}
