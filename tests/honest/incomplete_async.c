/* incomplete_async - leaves half of the work to a declared thread too, and waits for it.
 *
 * @problem slow
 * @pairs 2 */
#include <pthread.h>

#include "tests/problems/rsqrt/rsqrt.h"

static void *second_half(void *call)
{
    const struct aisp_call *c = call;

    honest(c, c->param[N] / 2, c->param[N]);
    return NULL;
}

static enum aisp_status run(const struct aisp_call *c)
{
    pthread_t t;

    if (pthread_create(&t, NULL, second_half, (void *)c))
        return AISP_E_UNAVAILABLE;
    honest(c, 0, c->param[N] / 2);
    pthread_join(t, NULL);
    return AISP_OK;
}

AISP_DECLARE("idea: two threads, joined\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
