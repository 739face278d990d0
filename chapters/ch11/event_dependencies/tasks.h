/* tasks.h - the tasks of a graph with their counters: how many tiles each still waits for, and how many others still need
 * its tile, so that its memory can go to the next one. Who may touch them when is the rungs' affair. */
#ifndef EVENT_DEPENDENCIES_TASKS_H
#define EVENT_DEPENDENCIES_TASKS_H

#include <string.h>

#include "graph.h"

enum { MOST_NEXT = REACH + 1, LINE = 64 };

/* Task (l - 1) * tiles + t makes tile t of layer l. */
struct tasks {
    struct graph graph;
    int64_t n;
    float **tile;            /* where each tile lies that has been made */
    uint8_t *waits, *needed; /* for how many tiles; by how many tasks */
    float *room;             /* for all tiles before the last layer, should they ever be needed at once */
};

static inline size_t tasks_bytes(const int64_t *param)
{
    const size_t n = (size_t)(param[LAYERS] * param[TILES]);

    return n * (sizeof(float *) + 2) + LINE + n * (size_t)param[WIDTH] * sizeof(float);
}

static inline void tasks_begin(struct tasks *s, const struct aisp_call *call)
{
    const struct graph g = graph_of(call);
    const int64_t n = g.layers * g.tiles;
    uint8_t *bytes = (uint8_t *)((float **)call->workspace + n);

    *s = (struct tasks){ g, n, call->workspace, bytes, bytes + n, NULL };
    s->room = (float *)(bytes + 2 * n + (-(uintptr_t)(bytes + 2 * n) % LINE));
    memset(bytes, 0, 2 * (size_t)n);
    for (int64_t i = g.tiles; i < n; i++) {
        const int64_t t = i % g.tiles, other = partner(&g, i / g.tiles + 1, t);

        s->waits[i] = (uint8_t)(1 + (other != t));
        s->needed[i - g.tiles]++;
        s->needed[i - g.tiles + other - t] += other != t;
    }
}

/* The tasks whose tiles task i reads: none, one or two of them. */
static inline int tasks_before(const struct tasks *s, int64_t i, int64_t before[2])
{
    const int64_t tiles = s->graph.tiles, t = i % tiles, other = partner(&s->graph, i / tiles + 1, t);

    if (i < tiles)
        return 0;
    before[0] = i - tiles;
    before[1] = i - tiles + other - t;
    return 1 + (other != t);
}

/* The tasks that read tile i; the last of them is the one that is to go first. */
static inline int tasks_after(const struct tasks *s, int64_t i, int64_t after[MOST_NEXT])
{
    const int64_t tiles = s->graph.tiles, t = i % tiles, layer = i / tiles + 2;
    int n = 0;

    if (layer > s->graph.layers)
        return 0;
    after[n++] = i + tiles;
    for (int d = 1; d <= REACH && d <= t; d++)
        if (partner(&s->graph, layer, t - d) == t)
            after[n++] = i + tiles - d;
    return n;
}

/* Where the tile of task i is to be, if that is decided already. */
static inline float *tasks_output(const struct tasks *s, int64_t i)
{
    const int64_t in_last = i - (s->n - s->graph.tiles);

    return in_last >= 0 ? s->graph.y + in_last * s->graph.width : NULL;
}

static inline void tasks_do(struct tasks *s, int64_t i, float *to)
{
    const struct graph *g = &s->graph;
    const int64_t t = i % g->tiles, other = partner(g, i / g->tiles + 1, t);

    s->tile[i] = to;
    if (i < g->tiles)
        mean(g->x + t * g->width, g->x + other * g->width, to, g->width);
    else
        mean(s->tile[i - g->tiles], s->tile[i - g->tiles + other - t], to, g->width);
}

#endif
