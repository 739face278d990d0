/* optimized_counters - no layers: each task counts the tiles that it waits for and goes onto a stack when the last is there;
 * what was made ready last is done first, and the memory of a tile that nobody needs any more is the next one's.
 * Expected: layer by layer, 8 MiB are read and 8 MiB written between two visits to a tile; now a tile is used a few tasks
 * after it was made, and about 3 tiles a layer live at once, 0.2 MiB in all, in the second cache. One core: 1.3 to 2x, more
 * where the third cache is small or shared. With threads nobody waits for a layer to end either; what grows with them is
 * the wait for the one lock, some 50 ns of each task of 400.
 * Costs: the counters are made in each call, for the graph is new; a lock; memory for the worst order. */
#include <aisp/variant.h>

#include "graph.h"
#include "kit/pool.h"
#include "problem.h"
#include "tasks.h"

struct team { struct pool *pool; pthread_mutex_t lock; pthread_cond_t more; };

struct job {
    struct tasks tasks;
    struct team *team;
    float **spare; /* memory of no tile, a stack */
    int32_t *ready;
    int64_t n_spare, n_used, n_ready, n_left;
};

static float *take_room(struct job *job)
{
    if (job->n_spare)
        return job->spare[--job->n_spare];
    return job->tasks.room + job->n_used++ * job->tasks.graph.width;
}

/* Under the lock: what task i has read is needed once less, what waits for it waits for one less. */
static void is_done(struct job *job, int64_t i)
{
    struct tasks *s = &job->tasks;
    int64_t other[MOST_NEXT];
    int n = tasks_before(s, i, other);

    for (int k = 0; k < n; k++)
        if (!--s->needed[other[k]])
            job->spare[job->n_spare++] = s->tile[other[k]];
    n = tasks_after(s, i, other);
    for (int k = 0; k < n; k++)
        if (!--s->waits[other[k]])
            job->ready[job->n_ready++] = (int32_t)other[k];
    job->n_left--;
}

static void work(void *with, int who)
{
    struct job *job = with;
    struct team *team = job->team;

    (void)who;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        int64_t i;
        float *to;

        while (!job->n_ready && job->n_left)
            pthread_cond_wait(&team->more, &team->lock);
        if (!job->n_left)
            break;
        i = job->ready[--job->n_ready];
        to = tasks_output(&job->tasks, i);
        to = to ? to : take_room(job);
        pthread_mutex_unlock(&team->lock);
        tasks_do(&job->tasks, i, to);
        pthread_mutex_lock(&team->lock);
        is_done(job, i);
        if (!job->n_left)
            pthread_cond_broadcast(&team->more);
        else if (job->n_ready > 1)
            pthread_cond_signal(&team->more);
    }
    pthread_mutex_unlock(&team->lock);
}

static size_t workspace_bytes(const int64_t *param)
{
    const size_t n = (size_t)(param[LAYERS] * param[TILES]);

    return tasks_bytes(param) + n * (sizeof(float *) + sizeof(int32_t)) + LINE;
}

static void teardown(void *state)
{
    struct team *team = state;

    if (!team)
        return;
    pool_free(team->pool);
    free(team);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct team *team = calloc(1, sizeof *team);

    if (!team)
        return AISP_E_NO_MEMORY;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->more, NULL);
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
    struct job job = { .team = team };

    tasks_begin(&job.tasks, call);
    job.n_left = job.tasks.n;
    job.spare = (float **)((char *)call->workspace + (tasks_bytes(call->param) + LINE - 1) / LINE * LINE);
    job.ready = (int32_t *)(job.spare + job.tasks.n);
    for (int64_t t = job.tasks.graph.tiles - 1; t >= 0; t--)
        job.ready[job.n_ready++] = (int32_t)t;
    pool_start(team->pool, work, &job);
    work(&job, team->pool->n);
    pool_wait(team->pool);
    return AISP_OK;
}

AISP_DECLARE("idea: a task begins when the tiles that it needs are there, the newest first\n"
             "expect: L2 misses / 3\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = setup, .run = run, .teardown = teardown };
