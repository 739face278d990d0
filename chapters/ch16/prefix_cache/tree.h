/* tree.h - the radix tree of all prefixes that were met: a node is a prefix, its edges are segments, and it keeps the state at
 * its end. Not here: how a state goes on over a segment; that is given. */
#ifndef PREFIX_CACHE_TREE_H
#define PREFIX_CACHE_TREE_H

#include <stddef.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

/* Node 0 is the empty prefix. A child is never node 0, so 0 says that there is none. */
struct tree {
    int32_t (*child)[SEGMENTS];
    float *state; /* of node i from i * dim on */
    int32_t n_nodes;
};

static inline size_t tree_bytes(const int64_t *param)
{
    const size_t most = (size_t)(param[REQUESTS] * param[DEPTH]) + 1;

    return most * (sizeof(int32_t[SEGMENTS]) + (size_t)param[DIM] * sizeof(float));
}

static inline void tree_begin(struct tree *t, void *room, const int64_t *param)
{
    t->child = room;
    t->state = (float *)(t->child + param[REQUESTS] * param[DEPTH] + 1);
    t->n_nodes = 1;
    memset(t->child[0], 0, sizeof t->child[0]);
    memset(t->state, 0, (size_t)param[DIM] * sizeof(float));
}

/* Walks all prompts down the tree. Where a node is missing it is made, and `go_on` takes the copied state over the segment. */
static inline void tree_walk(struct tree *t, const struct aisp_call *call,
                             void (*go_on)(const struct aisp_call *call, int32_t segment, float *state))
{
    const int64_t depth = call->param[DEPTH];
    const size_t state_bytes = (size_t)call->param[DIM] * sizeof(float);
    const int32_t *prompt = call->tensor[PROMPT];
    float *h = call->tensor[H];

    for (int64_t r = 0; r < call->param[REQUESTS]; r++, h += call->param[DIM]) {
        int32_t node = 0;

        for (int64_t s = 0; s < depth; s++) {
            int32_t *child = &t->child[node][prompt[r * depth + s]];

            if (!*child) {
                float *state = t->state + t->n_nodes * call->param[DIM];

                *child = t->n_nodes++;
                memset(t->child[*child], 0, sizeof t->child[0]);
                memcpy(state, t->state + node * call->param[DIM], state_bytes);
                go_on(call, prompt[r * depth + s], state);
            }
            node = *child;
        }
        memcpy(h, t->state + node * call->param[DIM], state_bytes);
    }
}

#endif
