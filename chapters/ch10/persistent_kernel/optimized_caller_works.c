/* optimized_caller_works - the caller takes a part of each block himself, and the pool has one thread less.
 * Expected: the caller, who would sleep and be woken, is awake already: one switch less a block, and none with one thread,
 * where all that is left are the blocks: 5 to 10x over the pool. With two threads his part runs while the other wakes, 2x.
 * Costs: the caller cannot do anything else meanwhile. */
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
    *s->state = pool_new(s->n_threads - 1);
    return *s->state ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct pool *pool = call->state;
    struct block block = first_block(call, pool->n + 1);

    for (int64_t b = 0; b < call->param[BLOCKS]; b++) {
        pool_start(pool, work, &block);
        work(&block, pool->n);
        pool_wait(pool);
        move_on(&block, sum_of_levels(&block));
    }
    return AISP_OK;
}

static void teardown(void *state)
{
    pool_free(state);
}

AISP_DECLARE("idea: the caller is one of the workers\n"
             "expect: voluntary context switches / 2\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = teardown };
