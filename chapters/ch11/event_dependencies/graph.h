/* graph.h - tiles and who needs whom; shared by all rungs. Layers count from 1, layer 0 is x. */
#ifndef EVENT_DEPENDENCIES_GRAPH_H
#define EVENT_DEPENDENCIES_GRAPH_H

#include <stdint.h>

#include <aisp/variant.h>

#include "problem.h"

struct graph { const float *x; const int32_t *offset; float *y; int64_t layers, tiles, width; };

static inline struct graph graph_of(const struct aisp_call *call)
{
    return (struct graph){ call->tensor[X],     call->tensor[OFFSET], call->tensor[Y],
                           call->param[LAYERS], call->param[TILES],   call->param[WIDTH] };
}

/* The tile that tile t of a layer needs beside tile t. */
static inline int64_t partner(const struct graph *g, int64_t layer, int64_t t)
{
    const int64_t other = t + g->offset[(layer - 1) * g->tiles + t];

    return other < g->tiles ? other : g->tiles - 1;
}

static inline void mean(const float *restrict a, const float *restrict b, float *restrict to, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = 0.5f * (a[i] + b[i]);
}

#endif
