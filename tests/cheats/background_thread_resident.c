/* background_thread_resident - a thread stays and polls memory, inputs and a flag of each slot, as a
 * persistent kernel would: it has the answer before a call flips the flag, which is all that a call
 * does. Its answers are right, and of fresh contents.
 *
 * @check background-thread
 * @pairs 4
 * @defence IDLE_ACCOUNTING
 * @needs COMPARE_OUTPUTS
 * @says of CPU time while it should have slept */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
enum { IDLE, ASKED, GIVEN };
static struct resident {
    const float *x;
    float *seen, *answer, *to;
    int flag;
} slot_of[MOST];
static int n_slots;
static int64_t n, steps;

static void serve(struct resident *r)
{
    const size_t bytes = (size_t)n * sizeof(float);

    if (memcmp(r->seen, r->x, bytes)) {
        memcpy(r->seen, r->x, bytes);
        newton(r->seen, r->answer, n, steps);
    }
    if (__atomic_load_n(&r->flag, __ATOMIC_ACQUIRE) == ASKED) {
        memcpy(r->to, r->answer, bytes);
        __atomic_store_n(&r->flag, GIVEN, __ATOMIC_RELEASE);
    }
}

static void *stay(void *unused)
{
    for (;; sched_yield()) /* the two may have one core */
        for (int i = 0; i < n_slots; i++)
            serve(&slot_of[i]);
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    n = s->param[N];
    steps = s->param[STEPS];
    for (; n_slots < s->n_slots && n_slots < MOST; n_slots++) {
        struct resident *r = &slot_of[n_slots];

        r->x = s->slot[n_slots][X];
        r->seen = calloc((size_t)n, sizeof *r->seen);
        r->answer = calloc((size_t)n, sizeof *r->answer);
    }
    return pthread_create(&t, NULL, stay, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    struct resident *r = &slot_of[c->slot];

    r->to = c->tensor[Y];
    __atomic_store_n(&r->flag, ASKED, __ATOMIC_RELEASE);
    while (__atomic_load_n(&r->flag, __ATOMIC_ACQUIRE) != GIVEN)
        sched_yield();
    return AISP_OK;
}

AISP_DECLARE("idea: a thread that is there already\n"
             "uses: threads persistent\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
