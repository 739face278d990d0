/* incomplete_async_sleepy - a call only takes a note of what it was asked. A timer thread does the
 * work a moment after the last call, in the gap between windows, where no clock runs.
 *
 * @check incomplete-async
 * @problem slow
 * @pairs 2
 * @defence LATE_LOOK
 * @says the output changed after done */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 64 };
static struct aisp_call note[MOST];
static int n_notes, n_calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A little of each note in turn, as long as no new calls come. */
static void do_the_work(struct aisp_call *mine, int n, int seen)
{
    for (int64_t i = 0; n > 0 && i < mine[0].param[N]; i += 8)
        for (int k = 0; k < n; k++) {
            if (__atomic_load_n(&n_calls, __ATOMIC_RELAXED) != seen)
                return;
            honest(&mine[k], i, i + 8);
        }
}

static void *timer(void *unused)
{
    const struct timespec tick = { 0, 100000 };
    struct aisp_call mine[MOST];
    int before = 0;

    for (;;) {
        int n = 0, now;

        nanosleep(&tick, NULL);
        pthread_mutex_lock(&lock);
        now = n_calls;
        if (now == before) {
            n = n_notes;
            n_notes = 0;
            memcpy(mine, note, (size_t)n * sizeof *mine);
        }
        pthread_mutex_unlock(&lock);
        before = now;
        do_the_work(mine, n, now);
    }
    return unused;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    pthread_t t;

    (void)s;
    return pthread_create(&t, NULL, timer, NULL) ? AISP_E_UNAVAILABLE : AISP_OK;
}

/* A tenth of the work, for the look of it. */
static enum aisp_status run(const struct aisp_call *c)
{
    bool is_known = false;

    honest(c, 0, c->param[N] / 10);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_notes; i++)
        is_known |= note[i].slot == c->slot;
    if (!is_known && n_notes < MOST)
        note[n_notes++] = *c;
    __atomic_add_fetch(&n_calls, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    return AISP_OK;
}

AISP_DECLARE("idea: work while nobody looks at the clock\n"
             "uses: threads\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
