/* baseline - a team of n_threads, the caller among them: each sweeps its range of the cells, then all meet at a barrier. */
#include <aisp/variant.h>

#include "kit/pool.h"
#include "problem.h"
#include "sweep.h"

struct team { struct pool *pool; pthread_barrier_t meeting; };

struct job { const struct aisp_call *call; struct team *team; };

static void work(void *with, int who)
{
    const struct job *job = with;
    const int64_t cells = job->call->param[CELLS], steps = job->call->param[STEPS], parts = job->team->pool->n + 1;
    const int64_t begin = cells * who / parts, end = cells * (who + 1) / parts;
    float *to[] = { job->call->tensor[Y], job->call->workspace }; /* in turns, y last */
    const float *from = job->call->tensor[X];

    for (int64_t s = steps - 1; s >= 0; s--) {
        if (begin < end)
            sweep(from + begin, to[s % 2] + begin, end - begin, (struct ends){ begin == 0, end == cells });
        from = to[s % 2];
        pthread_barrier_wait(&job->team->meeting);
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[CELLS] * sizeof(float);
}

static void teardown(void *state)
{
    struct team *team = state;

    if (!team)
        return;
    pool_free(team->pool);
    pthread_barrier_destroy(&team->meeting);
    free(team);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct team *team = calloc(1, sizeof *team);

    if (!team)
        return AISP_E_NO_MEMORY;
    pthread_barrier_init(&team->meeting, NULL, (unsigned)s->n_threads);
    team->pool = pool_new(s->n_threads - 1);
    if (!team->pool) {
        teardown(team);
        return AISP_E_UNAVAILABLE;
    }
    *s->state = team;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct team *team = call->state;
    struct job job = { call, team };

    pool_start(team->pool, work, &job);
    work(&job, team->pool->n);
    pool_wait(team->pool);
    return AISP_OK;
}

AISP_DECLARE("idea: a sweep of all cells, a barrier, the next sweep\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = setup, .run = run, .teardown = teardown };
