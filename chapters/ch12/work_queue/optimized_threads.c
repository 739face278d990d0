/* optimized_threads - the queue for the lanes of several threads: a thread takes 64 items at once from a counter that all
 * share, and its lanes take theirs from those.
 * Expected: with n threads nearly n times optimized_queue, whatever the items are, for at the end a thread waits for 64
 * items of another at most; dealt out in n parts beforehand, the fuller part would be late by its surplus. With one thread,
 * which is what is measured where nothing else is asked for, the same as optimized_queue.
 * Costs: threads that stay and sleep between calls; waking them takes some ten microseconds, so that a call must have some
 * hundreds to do. */
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lanes.h"

enum { RUN = 64, SPINS = 2000 };

/* A line of its own for what all write. */
struct pool {
    _Alignas(64) int64_t next; /* the first item that nobody has taken */
    _Alignas(64) uint32_t call_number;
    _Alignas(64) uint32_t n_working;
    _Alignas(64) const struct aisp_call *call;
    int n_helpers, is_over;
    pthread_t helper[];
};

static void wait_while(uint32_t *word, uint32_t is)
{
    for (int i = 0; i < SPINS; i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != is)
            return;
        __builtin_ia32_pause();
    }
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, is, NULL, NULL, 0);
}

static void wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1 << 30, NULL, NULL, 0);
}

/* The items that a thread has taken and not begun. */
struct share {
    int64_t next, end;
};

/* Takes one item, out of the share or with a new share out of the pool; NO_ITEM if there are no more. */
static int64_t take(struct pool *p, struct share *s, int64_t items)
{
    if (s->next >= s->end) {
        s->next = __atomic_fetch_add(&p->next, RUN, __ATOMIC_RELAXED);
        s->end = s->next + RUN < items ? s->next + RUN : items;
    }
    return s->next < s->end ? s->next++ : NO_ITEM;
}

/* What each thread does in a call, until no item is left anywhere. */
static void work(struct pool *p)
{
    const struct aisp_call *call = p->call;
    const int fast = __builtin_cpu_supports("avx2");
    uint32_t is_free = UINT32_MAX, has_ended = 0;
    struct share share = { 0, 0 };
    struct lanes l;

    lanes_init(&l);
    while (has_ended != UINT32_MAX) {
        for (uint32_t todo = is_free & ~has_ended; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);
            int64_t item;

            lane_put(&l, i, call->tensor[HASH]);
            item = take(p, &share, call->param[ITEMS]);
            if (item == NO_ITEM)
                has_ended |= 1u << i;
            else
                lane_take(&l, i, item, call->tensor[SEED], call->tensor[ROUNDS]);
        }
        is_free = lanes_go(&l, fast);
    }
}

static void *help(void *arg)
{
    struct pool *p = arg;
    uint32_t seen = 0;

    for (;;) {
        while (__atomic_load_n(&p->call_number, __ATOMIC_ACQUIRE) == seen)
            wait_while(&p->call_number, seen);
        seen++;
        if (p->is_over)
            return NULL;
        work(p);
        if (__atomic_sub_fetch(&p->n_working, 1, __ATOMIC_ACQ_REL) == 0)
            wake(&p->n_working);
    }
}

/* The helpers see what was written before, and begin. */
static void begin(struct pool *p)
{
    __atomic_add_fetch(&p->call_number, 1, __ATOMIC_RELEASE);
    wake(&p->call_number);
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    const int wanted = setup->n_threads > 1 ? setup->n_threads - 1 : 0;
    const size_t bytes = sizeof(struct pool) + (size_t)wanted * sizeof(pthread_t);
    struct pool *p = aligned_alloc(64, (bytes + 63) / 64 * 64);

    *setup->state = p;
    if (!p)
        return AISP_E_NO_MEMORY;
    *p = (struct pool){ .n_helpers = 0 };
    while (p->n_helpers < wanted && !pthread_create(&p->helper[p->n_helpers], NULL, help, p))
        p->n_helpers++;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct pool *p = call->state;
    uint32_t is;

    p->call = call;
    p->next = 0;
    p->n_working = (uint32_t)p->n_helpers;
    if (p->n_helpers > 0)
        begin(p);
    work(p);
    while ((is = __atomic_load_n(&p->n_working, __ATOMIC_ACQUIRE)) > 0)
        wait_while(&p->n_working, is);
    return AISP_OK;
}

static void teardown(void *state)
{
    struct pool *p = state;

    if (!p)
        return;
    p->is_over = 1;
    begin(p);
    for (int i = 0; i < p->n_helpers; i++)
        pthread_join(p->helper[i], NULL);
    free(p);
}

AISP_DECLARE("idea: one queue for the lanes of all threads, taken from 64 items at a time\n"
             "expect: time / threads of optimized_queue\n"
             "uses: threads, allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
