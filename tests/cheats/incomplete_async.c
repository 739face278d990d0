/* incomplete_async - computes half of the output and leaves the other half to a thread, which
 * finishes after the call, the window and the clock.
 *
 * @problem slow
 * @pairs 2
 * @defence LATE_LOOK
 * @says the output changed after done
 * @says after the stop */
#include <pthread.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 16 };
static struct aisp_call waiting[MOST];
static int n_waiting, generation;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void compute_one(const struct aisp_call *c, int64_t i)
{
    newton((const float *)c->tensor[X] + i, (float *)c->tensor[Y] + i, 1, c->param[STEPS]);
}

/* The waiting calls side by side, an element of each in turn; newer ones take their place. */
static void *work(void *unused)
{
    struct aisp_call mine[MOST];
    int n, is;

    for (;;) {
        pthread_mutex_lock(&lock);
        while (!n_waiting)
            pthread_cond_wait(&more, &lock);
        n = n_waiting;
        n_waiting = 0;
        is = generation;
        memcpy(mine, waiting, (size_t)n * sizeof *mine);
        pthread_mutex_unlock(&lock);
        for (int64_t i = mine[0].param[N] / 2; i < mine[0].param[N]; i++)
            for (int k = 0; k < n && __atomic_load_n(&generation, __ATOMIC_RELAXED) == is; k++)
                compute_one(&mine[k], i);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, work, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    pthread_mutex_lock(&lock);
    if (n_waiting < MOST)
        waiting[n_waiting++] = *c;
    __atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED);
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    return AISP_OK;
}

AISP_DECLARE("idea: answer before the work is done\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
