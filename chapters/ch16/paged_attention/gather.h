/* gather.h - the pages of a sequence, copied so that the tokens of each head follow each other: heads x seq x dim. */
#ifndef PAGED_ATTENTION_GATHER_H
#define PAGED_ATTENTION_GATHER_H

#include <stddef.h>
#include <string.h>

#include "problem.h"

static inline int64_t gathered_floats(const int64_t *param)
{
    return param[HEADS] * param[SEQ] * param[DIM];
}

static inline void gather(const float *pool, const int64_t *table, int64_t b, float *to, const int64_t *param)
{
    const int64_t dim = param[DIM], seq = param[SEQ];

    for (int64_t i = 0; i < pages_of(param); i++)
        for (int64_t h = 0; h < param[HEADS]; h++) {
            const int64_t n = seq - i * PAGE < PAGE ? seq - i * PAGE : PAGE;

            memcpy(to + (h * seq + i * PAGE) * dim, pool + page_at(table, param, b, i, h), (size_t)(n * dim) * sizeof(float));
        }
}

#endif
