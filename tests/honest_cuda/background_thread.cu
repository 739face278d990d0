/* background_thread - has a declared thread too, which sleeps until a call wakes it, and takes note of the call.
 *
 * @pairs 4 */
#include <pthread.h>

#include "tests/problems/card_roots/roots.cuh"

static int64_t n_asked, n_noted;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void *take_note(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (n_noted == n_asked)
            pthread_cond_wait(&more, &lock);
        n_noted = n_asked;
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, take_note, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    pthread_mutex_lock(&lock);
    n_asked++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    return honest(c);
}

AISP_DECLARE("idea: a log that a thread writes\n"
             "uses: threads\n");

VARIANT_WITH_SETUP(setup, run);
