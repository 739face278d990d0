/* optimized_pool - the threads are made once, in setup, and sleep on a condition; a block wakes them.
 * Expected: making and joining a thread costs a clone, first faults on its stack, two switches and an exit, 20 us and more;
 * waking one that sleeps and going to sleep oneself are the two switches alone, 3 to 10 us (a virtual machine pays more).
 * With blocks of 1 or 2 us: 2 to 4x.
 * Costs: threads that hold their stacks while there is no work; a lock. */
#include <aisp/variant.h>

#include "levels.h"
#include "kit/pool.h"
#include "problem.h"

static void work(void *with, int who)
{
    levels(with, who);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    *s->state = pool_new(s->n_threads);
    return *s->state ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct pool *pool = call->state;
    struct block block = first_block(call, pool->n);

    for (int64_t b = 0; b < call->param[BLOCKS]; b++) {
        pool_start(pool, work, &block);
        pool_wait(pool);
        move_on(&block, sum_of_levels(&block));
    }
    return AISP_OK;
}

static void teardown(void *state)
{
    pool_free(state);
}

AISP_DECLARE("idea: a standing pool is woken for each block\n"
             "expect: cycles / 2\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
