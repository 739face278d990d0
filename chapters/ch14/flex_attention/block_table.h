/* block_table.h - what the mask says of blocks of 32 queries by 32 keys: nobody sees any, some see some, all see all.
 * Documents are numbered in order, so that the corners of a block decide. For a mask of which nothing is known all pairs
 * would be asked, once, which pays where many heads and layers use the table. */
#ifndef FLEX_ATTENTION_BLOCK_TABLE_H
#define FLEX_ATTENTION_BLOCK_TABLE_H

#include "blocks.h"

enum block_kind { BLOCK_EMPTY, BLOCK_PARTIAL, BLOCK_FULL };

static inline int64_t blocks_of(int64_t seq)
{
    return (seq + BLOCK - 1) / BLOCK;
}

static inline size_t table_workspace(const int64_t *param)
{
    return documents_bytes(param) + (size_t)(blocks_of(param[SEQ]) * blocks_of(param[SEQ]));
}

static inline uint8_t *table_of(const struct aisp_call *call)
{
    return (uint8_t *)call->workspace + documents_bytes(call->param);
}

/* Queries i0 .. i1 and keys j0 .. j1. */
static inline enum block_kind kind_of(const int32_t *document, int64_t i0, int64_t i1, int64_t j0, int64_t j1)
{
    if (j0 > i1 || document[j1] < document[i0])
        return BLOCK_EMPTY;
    return j1 <= i0 && document[j0] == document[i1] ? BLOCK_FULL : BLOCK_PARTIAL;
}

static inline void find_blocks(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ], blocks = blocks_of(seq);
    const int32_t *document = call->workspace;
    uint8_t *table = table_of(call);

    for (int64_t i = 0; i < blocks; i++)
        for (int64_t j = 0; j < blocks; j++) {
            const int64_t i1 = (i + 1) * BLOCK < seq ? (i + 1) * BLOCK - 1 : seq - 1;
            const int64_t j1 = (j + 1) * BLOCK < seq ? (j + 1) * BLOCK - 1 : seq - 1;

            table[i * blocks + j] = (uint8_t)kind_of(document, i * BLOCK, i1, j * BLOCK, j1);
        }
}

/* One query; full blocks go without a mask if `trusts_full`, a constant of the call. */
AVX2 void attend_query(const struct aisp_call *call, int64_t head, int64_t i, const int trusts_full)
{
    const int64_t seq = call->param[SEQ], blocks = blocks_of(seq);
    const uint8_t *row = table_of(call) + i / BLOCK * blocks;
    struct query w = query_begin(call, head, i);

    for (int64_t b = 0; b < blocks; b++) {
        const int64_t n = seq - b * BLOCK < BLOCK ? seq - b * BLOCK : BLOCK;

        if (row[b] == BLOCK_FULL && trusts_full)
            take_block(&w, b * BLOCK, n, 0);
        else if (row[b] != BLOCK_EMPTY)
            take_block(&w, b * BLOCK, n, 1);
    }
    part_end(&w.part);
}

static inline void attend_blocks_portable(const struct aisp_call *call)
{
    const int64_t seq = call->param[SEQ], blocks = blocks_of(seq);

    for (int64_t r = 0; r < call->param[HEADS] * seq; r++) {
        struct query w = query_begin(call, r / seq, r % seq);

        for (int64_t b = 0; b < blocks; b++)
            if (table_of(call)[w.i / BLOCK * blocks + b] != BLOCK_EMPTY)
                take_block_portable(&w, b * BLOCK, seq - b * BLOCK < BLOCK ? seq - b * BLOCK : BLOCK);
        part_end(&w.part);
    }
}

#endif
