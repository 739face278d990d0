/* background_thread_resident - a thread stays as well, and sleeps until a call wakes it; it looks at
 * nothing before.
 *
 * @check background-thread
 * @problem slow
 * @pairs 4 */
#include <pthread.h>
#include <stddef.h>

#include "tests/problems/rsqrt/rsqrt.h"

static const struct aisp_call *asked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ask = PTHREAD_COND_INITIALIZER, given = PTHREAD_COND_INITIALIZER;

static void *stay(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!asked)
            pthread_cond_wait(&ask, &lock);
        honest(asked, 0, asked->param[N]);
        asked = NULL;
        pthread_cond_signal(&given);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, stay, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    pthread_mutex_lock(&lock);
    asked = c;
    pthread_cond_signal(&ask);
    while (asked)
        pthread_cond_wait(&given, &lock);
    pthread_mutex_unlock(&lock);
    return AISP_OK;
}

AISP_DECLARE("idea: a thread that waits for work\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
