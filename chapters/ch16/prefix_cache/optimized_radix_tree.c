/* optimized_radix_tree - prompts are walked down a tree of the prefixes that were met before; a state is computed only where
 * the tree has no node yet.
 * Expected: of 576 segments some 150 are left, the tree costs a lookup each: 3 to 5x, with the same bits. How much depends on
 * the prompts alone; where all differ in their first segment nothing is gained.
 * Costs: a state and eight edges for each node. A server, whose tree outlives a batch, has to evict nodes as well. */
#include <math.h>

#include "tree.h"

static void advance(const float *w, const float *e, float *h, float *z, int64_t dim)
{
    for (int64_t i = 0; i < dim; i++) {
        float sum = e[i];

        for (int64_t j = 0; j < dim; j++)
            sum += w[i * dim + j] * h[j];
        z[i] = sum;
    }
    for (int64_t i = 0; i < dim; i++)
        h[i] = z[i] / (1 + fabsf(z[i]));
}

/* The workspace begins with room for z. */
static void go_on(const struct aisp_call *call, int32_t segment, float *state)
{
    const int64_t tokens = call->param[TOKENS], dim = call->param[DIM];
    const float *e = (const float *)call->tensor[E] + segment * tokens * dim;

    for (int64_t t = 0; t < tokens; t++)
        advance(call->tensor[W], e + t * dim, state, call->workspace, dim);
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[DIM] * sizeof(float) + tree_bytes(param);
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct tree t;

    tree_begin(&t, (float *)call->workspace + call->param[DIM], call->param);
    tree_walk(&t, call, go_on);
    return AISP_OK;
}

AISP_DECLARE("idea: a radix tree of prefixes, so that no state is computed twice\n"
             "expect: instructions / 4");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
