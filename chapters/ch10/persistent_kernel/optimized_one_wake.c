/* optimized_one_wake - the workers are woken once a call and stay for all of its blocks; between two blocks they meet at a
 * counter, and who comes last moves the gain.
 * Expected: with two threads and more, a meeting of threads that are awake is a line that goes from core to core, 0.1 to
 * 0.3 us, where a wake is microseconds: 3 to 5x over caller_works. With one thread there is nobody to wake, and it is level.
 * Blocks of 2 us are near the least that two threads can share: larger ones gain less by this and more by the threads.
 * Costs: who waits burns his core; he yields it after some microseconds, for a machine whose cores are not all his. */
#include <sched.h>
#include <stdatomic.h>

#include <immintrin.h>

#include <aisp/variant.h>

#include "levels.h"
#include "kit/pool.h"
#include "problem.h"

enum { LINE = 64, PATIENCE = 2000 };

struct shared {
    struct block block; /* written by who comes last, before `phase` */
    int64_t blocks;
    _Alignas(LINE) _Atomic int64_t all;
    _Atomic int64_t n_there;
    _Alignas(LINE) _Atomic int64_t phase;
};

static void wait_for(_Atomic int64_t *phase, int64_t wanted)
{
    for (int i = 0; atomic_load_explicit(phase, memory_order_acquire) < wanted; i++)
        if (i < PATIENCE)
            _mm_pause();
        else
            sched_yield();
}

static void work(void *with, int who)
{
    struct shared *s = with;

    for (int64_t b = 1; b <= s->blocks; b++) {
        atomic_fetch_add_explicit(&s->all, levels(&s->block, who), memory_order_relaxed);
        if (atomic_fetch_add_explicit(&s->n_there, 1, memory_order_acq_rel) < s->block.parts - 1) {
            wait_for(&s->phase, b);
            continue;
        }
        move_on(&s->block, atomic_load_explicit(&s->all, memory_order_relaxed));
        atomic_store_explicit(&s->all, 0, memory_order_relaxed);
        atomic_store_explicit(&s->n_there, 0, memory_order_relaxed);
        atomic_store_explicit(&s->phase, b, memory_order_release);
    }
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    *s->state = pool_new(s->n_threads - 1);
    return *s->state ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct pool *pool = call->state;
    struct shared s = { .block = first_block(call, pool->n + 1), .blocks = call->param[BLOCKS] };

    pool_start(pool, work, &s);
    work(&s, pool->n);
    pool_wait(pool);
    return AISP_OK;
}

static void teardown(void *state)
{
    pool_free(state);
}

AISP_DECLARE("idea: one wake a call, and a counter to meet at between blocks\n"
             "expect: voluntary context switches / 30\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
