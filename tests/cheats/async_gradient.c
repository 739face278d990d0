/* async_gradient - a step computes the first quarter of its own part, hands the rest and the sum over ranks to a thread, and
 * returns; the thread is through with it some time later.
 *
 * @problem allreduce
 * @pairs 2
 * @defence LATE_LOOK
 * @says said done before the collective was */
#include <pthread.h>

#include "tests/problems/allreduce/allreduce.h"

/* Calls that may wait; and which counter says how far a rank is. */
enum { MOST = 32, REDUCED = 32 };
/* Nobody waits for it, so it may take its time. */
enum { SLOWLY = 8 };
static struct aisp_call queue[MOST];
static uint32_t n_queued;

static float *part_of(const struct aisp_call *c, int rank, uint32_t call)
{
    return room_of(c, rank) + call % MOST * c->param[N];
}

/* A piece of one's own part: to where the others find it, and into the output for a start. */
static void compute(const struct aisp_call *c, uint32_t call, int64_t from, int64_t to)
{
    float *part = part_of(c, c->rank, call), *y = c->tensor[Y];

    newton((const float *)c->tensor[X] + from, part + from, to - from, c->param[STEPS]);
    for (int64_t i = from; i < to; i++)
        y[i] = part[i];
}

static void add_others(const struct aisp_call *c, uint32_t call)
{
    struct meet *m = c->rendezvous;
    float *y = c->tensor[Y];

    for (int r = 0; r < c->n_ranks; r++) {
        await(&m->counter[r], call + 1);
        for (int64_t i = 0; i < c->param[N] && r != c->rank; i++)
            y[i] += part_of(c, r, call)[i];
    }
}

/* What waits is worked on side by side, a piece of each in turn. */
static void *reduce(void *unused)
{
    for (uint32_t first = 0, end;; first = end) {
        const struct aisp_call *c = &queue[first % MOST];
        struct meet *m;

        await(&n_queued, first + 1);
        end = __atomic_load_n(&n_queued, __ATOMIC_ACQUIRE);
        m = c->rendezvous;
        for (int round = 0; round < SLOWLY; round++)
            for (int64_t i = c->param[N] / 4; i < c->param[N]; i += 64)
                for (uint32_t call = first; call != end; call++)
                    compute(&queue[call % MOST], call, i, i + 64 < c->param[N] ? i + 64 : c->param[N]);
        for (uint32_t call = first; call != end; call++)
            count_up(&m->counter[c->rank]);
        for (uint32_t call = first; call != end; call++)
            add_others(&queue[call % MOST], call);
        for (uint32_t call = first; call != end; call++)
            count_up(&m->counter[REDUCED + c->rank]);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, reduce, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const uint32_t call = n_queued;
    struct meet *m = c->rendezvous;

    for (int r = 0; r < c->n_ranks; r++)
        await(&m->counter[REDUCED + r], call < MOST ? 0 : call - MOST + 1);
    compute(c, call, 0, c->param[N] / 4);
    queue[call % MOST] = *c;
    count_up(&n_queued);
    return AISP_OK;
}

AISP_DECLARE("idea: the sum is somebody else's affair\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
