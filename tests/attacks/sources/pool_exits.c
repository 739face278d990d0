/* No attack: threads that end by pthread_exit(), for which libc looks for the library that unwinds stacks.
 * @reason none */
#include <aisp/variant.h>
#include <pthread.h>
#include <stddef.h>

struct part {
    const float *x;
    float *y;
    int64_t n;
};

static void *twice(void *of)
{
    const struct part *p = of;

    for (int64_t i = 0; i < p->n; i++)
        p->y[i] = 2 * p->x[i];
    pthread_exit(NULL);
}

/* One thread that does a part and leaves, before anything is timed: what it needs is there, or is not. */
static enum aisp_status setup(const struct aisp_setup *setup)
{
    float x[4] = { 1, 2, 3, 4 }, y[4];
    struct part part = { x, y, 4 };
    pthread_t thread;

    (void)setup;
    if (pthread_create(&thread, NULL, twice, &part) || pthread_join(thread, NULL))
        return AISP_E_NO_MEMORY;
    return y[3] == 8 ? AISP_OK : AISP_E_IO;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: parts, each by a thread that leaves\n"
             "uses: threads");
AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
