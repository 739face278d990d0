/* Names for what problem.c declares, in its order, what a row of arrivals means, and the constants of the model. */
#ifndef PRIORITY_LATENCY_PROBLEM_H
#define PRIORITY_LATENCY_PROBLEM_H

#include <stdint.h>

enum { REQUESTS, RATE, DOCUMENT, TOKENS, DIM, VOCAB };      /* param[] */
enum { W, E, U, ARRIVALS, EMISSIONS };                      /* tensor[] */
enum { SHIFT = 12, LIMIT = 1023 };                          /* scale of W s, bound of s */
enum { HEAD = 2, ONE_IN = 4 };                              /* words of a row before its tokens; of so many one is a document */

static inline int is_document(const int32_t *row)
{
    return row[0] % ONE_IN == 0;
}

/* Tokens to be read: one, or a document from half of the room to all of it. */
static inline int64_t read_length(const int64_t *param, const int32_t *row)
{
    const int64_t least = (param[DOCUMENT] + 1) / 2;

    return is_document(row) ? least + row[1] % (param[DOCUMENT] - least + 1) : 1;
}

/* Tokens to be written: one about a document, or from half of the most to all of it. */
static inline int64_t answer_length(const int64_t *param, const int32_t *row)
{
    const int64_t least = (param[TOKENS] + 1) / 2;

    return is_document(row) ? 1 : least + row[1] % (param[TOKENS] - least + 1);
}

static inline int64_t token_to_read(const int64_t *param, const int32_t *row, int64_t i)
{
    return row[HEAD + i] % param[VOCAB];
}

#endif
