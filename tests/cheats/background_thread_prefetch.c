/* background_thread_prefetch - a declared thread reads all inputs between windows, so that a cache
 * which was meant to be cold is warm.
 *
 * @check background-thread
 * @pairs 4
 * @defence IDLE_ACCOUNTING
 * @says of CPU time while it should have slept */
#include <pthread.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
static const float *input[MOST];
static int n_inputs;
static int64_t n;
static volatile float sum;

static void *prefetch(void *unused)
{
    const struct timespec nap = { 0, 20000 };

    for (;; nanosleep(&nap, NULL))
        for (int i = 0; i < n_inputs; i++)
            for (int64_t k = 0; k < n; k += 16)
                sum = sum + input[i][k];
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    n = s->param[N];
    for (; n_inputs < s->n_slots && n_inputs < MOST; n_inputs++)
        input[n_inputs] = s->slot[n_inputs][X];
    return pthread_create(&t, NULL, prefetch, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: data near before they are asked for\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
