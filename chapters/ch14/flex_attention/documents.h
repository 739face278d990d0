/* documents.h - the two functions, and what they need: the document of each position. */
#ifndef FLEX_ATTENTION_DOCUMENTS_H
#define FLEX_ATTENTION_DOCUMENTS_H

#include <stddef.h>

#include <aisp/variant.h>

#include "problem.h"

static inline size_t documents_bytes(const int64_t *param)
{
    return (size_t)(param[SEQ] + 15) / 16 * 16 * sizeof(int32_t);
}

/* document[i]: the number of the document that position i lies in. */
static inline void find_documents(const struct aisp_call *call, int32_t *document)
{
    const int32_t *length = call->tensor[LENGTH];
    int64_t end = length[0];
    int32_t d = 0;

    for (int64_t i = 0; i < call->param[SEQ]; i++) {
        while (d + 1 < call->param[DOCUMENTS] && i >= end)
            end += length[++d];
        document[i] = d;
    }
}

static inline int is_seen(const int32_t *document, int64_t i, int64_t j)
{
    return j <= i && document[i] == document[j];
}

static inline float score(float s, float slope, int64_t i, int64_t j)
{
    return s - slope * (float)(i - j);
}

#endif
