/* ranks.c - what the ranks of a side share: memory to meet in, or, where the problem declares its messages, wires. Wires are
 * sockets that keep messages whole. The kernel counts what a process writes, and a socket's buffer holds no message longer
 * than the declared one: so neither number nor size of the messages is anybody's word. Also which cores are whose. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "core/base/err.h"

/* What a socket's buffer has to hold beside a message. */
enum { MESSAGE_OVERHEAD = 32 };

bool cpu_has_wires(const struct aisp_session *s)
{
    return s->inst.n_messages > 0;
}

/* The kernel doubles what is asked for. */
static bool limit_messages(int fd, int64_t bytes)
{
    const int room = (int)((bytes + MESSAGE_OVERHEAD + 1) / 2);

    return !setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

static enum aisp_status lay_wires(struct aisp_session *s, struct cpu_meeting *m,
                                  struct aisp_err *err)
{
    for (int a = 0; a < s->n_ranks; a++)
        for (int b = a + 1; b < s->n_ranks; b++) {
            int end[2];

            if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, end))
                return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "a wire from rank %d to %d", a, b);
            m->wire[a][b] = end[0];
            m->wire[b][a] = end[1];
            if (!aisp_defends(&s->policy, AISP_RANK_LEDGER))
                continue;
            if (!limit_messages(end[0], s->inst.message_bytes) ||
                !limit_messages(end[1], s->inst.message_bytes))
                return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "limiting the messages of a wire");
        }
    return AISP_OK;
}

static enum aisp_status make_rendezvous(struct cpu_meeting *m, struct aisp_err *err)
{
    m->fd = memfd_create("aisp-meet", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (m->fd < 0 || ftruncate(m->fd, CPU_MEET_BYTES) ||
        fcntl(m->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return aisp_fail_errno(err, AISP_E_NO_MEMORY, "a rendezvous of %d bytes", CPU_MEET_BYTES);
    return AISP_OK;
}

enum aisp_status cpu_meet(struct aisp_session *s, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int side = 0; side < s->n_workers && s->n_ranks > 1; side++)
        AISP_TRY(cpu_has_wires(s) ? lay_wires(s, &s->meeting[side], err)
                                  : make_rendezvous(&s->meeting[side], err));
out:
    return st;
}

void cpu_meet_release(struct aisp_session *s)
{
    for (int side = 0; side < 2; side++) {
        struct cpu_meeting *m = &s->meeting[side];

        if (m->fd >= 0)
            close(m->fd);
        for (int a = 0; a < AISP_MAX_RANKS; a++)
            for (int b = 0; b < AISP_MAX_RANKS; b++)
                if (m->wire[a][b] >= 0)
                    close(m->wire[a][b]);
    }
}

cpu_set_t cpu_cores_of(const struct aisp_session *s, int rank)
{
    cpu_set_t mine;
    int skip = rank * s->n_threads, left = s->n_threads;

    if (s->n_ranks == 1 || CPU_COUNT(&s->measuring) < s->n_ranks * s->n_threads)
        return s->measuring;
    CPU_ZERO(&mine);
    for (int cpu = 0; cpu < CPU_SETSIZE && left > 0; cpu++)
        if (CPU_ISSET(cpu, &s->measuring) && skip-- <= 0) {
            CPU_SET(cpu, &mine);
            left--;
        }
    return mine;
}

int cpu_spans(struct aisp_session *s, enum aisp_side side, struct aisp_rank_span *span, int max)
{
    const int n = s->n_ranks < max ? s->n_ranks : max;

    for (int r = 0; r < n; r++)
        span[r] = s->worker[side][r].span;
    return n;
}
