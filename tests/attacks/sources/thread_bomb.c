/* Threads that sleep, as many as there is room for: nobody else's process can be started any more.
 * @reason protocol */
#include <aisp/variant.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { SMALL_STACK = 16384, MANY = 1 << 20 };

static void *sleep_on(void *unused)
{
    (void)unused;
    for (;;)
        pause();
    return NULL;
}

__attribute__((constructor)) static void start(void)
{
    pthread_attr_t small;
    pthread_t thread;

    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, SMALL_STACK);
    for (int i = 0; i < MANY && !pthread_create(&thread, &small, sleep_on, NULL); i++)
        ;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack\n"
             "uses: threads");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
