/* baseline - layer after layer: a team of n_threads, the caller among them, shares the tiles of one, then all meet at a
 * barrier. */
#include <aisp/variant.h>

#include "graph.h"
#include "kit/pool.h"
#include "problem.h"

struct team { struct pool *pool; pthread_barrier_t meeting; };

struct job { struct graph graph; float *room; struct team *team; };

static void work(void *with, int who)
{
    const struct job *job = with;
    const struct graph *g = &job->graph;
    const int64_t parts = job->team->pool->n + 1, begin = g->tiles * who / parts, end = g->tiles * (who + 1) / parts;
    const float *from = g->x;

    for (int64_t l = 1; l <= g->layers; l++) {
        float *to = l == g->layers ? g->y : job->room + l % 2 * g->tiles * g->width;

        for (int64_t t = begin; t < end; t++)
            mean(from + t * g->width, from + partner(g, l, t) * g->width, to + t * g->width, g->width);
        from = to;
        pthread_barrier_wait(&job->team->meeting);
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(2 * param[TILES] * param[WIDTH]) * sizeof(float);
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
    struct job job = { graph_of(call), call->workspace, team };

    pool_start(team->pool, work, &job);
    work(&job, team->pool->n);
    pool_wait(team->pool);
    return AISP_OK;
}

AISP_DECLARE("idea: all tiles of a layer, a barrier, the next layer\n"
             "uses: threads");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = setup, .run = run, .teardown = teardown };
