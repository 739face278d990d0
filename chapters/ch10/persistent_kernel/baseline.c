/* baseline - for each block, threads are made that share its channels, and joined: n_threads of them, the caller waits. */
#include <pthread.h>

#include <aisp/variant.h>

#include "levels.h"
#include "problem.h"

enum { MOST_THREADS = 256 };

struct worker { pthread_t thread; const struct block *block; int64_t part; };

static void *work(void *its)
{
    const struct worker *w = its;

    levels(w->block, w->part);
    return NULL;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int parts = call->n_threads < MOST_THREADS ? call->n_threads : MOST_THREADS;
    struct block block = first_block(call, parts);
    struct worker worker[MOST_THREADS];

    for (int64_t b = 0; b < call->param[BLOCKS]; b++) {
        int n = 0;

        for (; n < parts; n++) {
            worker[n].block = &block;
            worker[n].part = n;
            if (pthread_create(&worker[n].thread, NULL, work, &worker[n]))
                break;
        }
        for (int i = 0; i < n; i++)
            pthread_join(worker[i].thread, NULL);
        if (n < parts)
            return AISP_E_UNAVAILABLE;
        move_on(&block, sum_of_levels(&block));
    }
    return AISP_OK;
}

AISP_DECLARE("idea: threads are made for each block and joined\n"
             "uses: threads, allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
