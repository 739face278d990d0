/* async_gradient - leaves the sum over ranks to a declared thread too, and joins it before the step returns.
 *
 * @problem allreduce */
#include <pthread.h>

#include "tests/problems/allreduce/allreduce.h"

static void *reduce(void *call)
{
    reduce_step(call);
    return NULL;
}

static enum aisp_status run(const struct aisp_call *c)
{
    pthread_t t;

    if (pthread_create(&t, NULL, reduce, (void *)c))
        return AISP_E_UNAVAILABLE;
    pthread_join(t, NULL);
    return AISP_OK;
}

AISP_DECLARE("idea: a thread for the sum, joined\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
