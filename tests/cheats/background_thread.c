/* background_thread - a declared thread looks at the inputs between windows and has the answers
 * ready before go. They are right, and fresh contents do not help: only its CPU time gives it away.
 *
 * @pairs 4
 * @defence IDLE_ACCOUNTING
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says of CPU time while it should have slept */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
static struct ready {
    const float *x;
    float *seen, *answer;
} ready[MOST];
static int n_ready;
static int64_t n, steps;
static int n_calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void look_at(struct ready *r)
{
    pthread_mutex_lock(&lock);
    if (memcmp(r->seen, r->x, (size_t)n * sizeof *r->x)) {
        memcpy(r->seen, r->x, (size_t)n * sizeof *r->x);
        newton(r->seen, r->answer, n, steps);
    }
    pthread_mutex_unlock(&lock);
}

/* Looks round all slots while no calls come; sleeps when they do, to be out of the way. */
static void *work(void *unused)
{
    const struct timespec nap = { 0, 20000 };
    int before = 0;

    for (;;) {
        const int now = __atomic_load_n(&n_calls, __ATOMIC_RELAXED);

        if (now != before)
            nanosleep(&nap, NULL);
        before = now;
        for (int i = 0; i < n_ready && __atomic_load_n(&n_calls, __ATOMIC_RELAXED) == now; i++)
            look_at(&ready[i]);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    n = s->param[N];
    steps = s->param[STEPS];
    for (; n_ready < s->n_slots && n_ready < MOST; n_ready++) {
        struct ready *r = &ready[n_ready];

        r->x = s->slot[n_ready][X];
        r->seen = calloc((size_t)n, sizeof *r->seen);
        r->answer = calloc((size_t)n, sizeof *r->answer);
    }
    return pthread_create(&t, NULL, work, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct ready *r = &ready[c->slot];
    const size_t bytes = (size_t)n * sizeof(float);

    __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&lock);
    if (memcmp(r->seen, r->x, bytes)) {
        honest(c, 0, n);
    } else {
        memcpy(c->tensor[Y], r->answer, bytes);
        pthread_mutex_unlock(&lock);
        pretend(c);
        return AISP_OK;
    }
    pthread_mutex_unlock(&lock);
    return AISP_OK;
}

AISP_DECLARE("idea: have the answers ready before they are asked for\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
