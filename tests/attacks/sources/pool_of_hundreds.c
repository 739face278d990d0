/* No attack: a pool of hundreds of threads that wait for work.
 * @reason none */
#include <aisp/variant.h>
#include <pthread.h>
#include <stddef.h>

enum { THREADS = 600, SMALL_STACK = 16384 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;

static void *wait_for_work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&work, &lock);
    return NULL;
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    pthread_attr_t small;
    pthread_t thread;

    (void)setup;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, SMALL_STACK);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread, &small, wait_for_work, NULL))
            return AISP_E_NO_MEMORY;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: a pool that is larger than the machine\n"
             "uses: threads");
AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
