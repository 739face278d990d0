/* together.h - products for up to four places at a time: AVX2.
 * The matrices are copied in setup (kit/pairs16.h). */
#ifndef CONTINUOUS_BATCHING_TOGETHER_H
#define CONTINUOUS_BATCHING_TOGETHER_H

#include <stdlib.h>

#include "batch.h"

/* state: the copies of W and of U, or NULL where there is no AVX2. */
static enum aisp_status together_setup(const struct aisp_setup *setup)
{
    const int64_t dim = setup->param[DIM], vocab = setup->param[VOCAB];
    const size_t bytes = (size_t)(pairs_copied(dim, dim) + pairs_copied(vocab, dim)) * sizeof(int16_t);
    int16_t *to;

    if (!__builtin_cpu_supports("avx2"))
        return AISP_OK;
    to = aligned_alloc(64, bytes); /* whole blocks of pairs: a multiple of 64 */
    if (!to)
        return AISP_E_NO_MEMORY;
    memset(to, 0, bytes);
    pairs_copy(to, setup->weight[W - W], dim, dim); /* W is the first of the weights */
    pairs_copy(to + pairs_copied(dim, dim), setup->weight[U - W], vocab, dim);
    *setup->state = to;
    return AISP_OK;
}

static void together_teardown(void *state)
{
    free(state);
}

static inline void product_together(const struct batch *b, int matrix)
{
    const int64_t dim = b->call->param[DIM];
    const int16_t *copy = b->call->state;

    if (!copy)
        product_plain(b, matrix);
    else if (matrix == W)
        pairs_product(copy, dim, b->s, b->n, b->apart, dim, b->u, b->rows);
    else
        pairs_product(copy + pairs_copied(dim, dim), b->call->param[VOCAB], b->s, b->n, b->apart, dim, b->u, b->rows);
}

#endif
