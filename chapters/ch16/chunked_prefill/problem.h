/* Names for what problem.c declares, in its order, what a row of arrivals means, and the constants of the model. */
#ifndef CHUNKED_PREFILL_PROBLEM_H
#define CHUNKED_PREFILL_PROBLEM_H

#include <stdint.h>

enum { REQUESTS, RATE, PROMPT, TOKENS, DIM, VOCAB };        /* param[] */
enum { WQ, WK, WV, E, P, U, ARRIVALS, EMISSIONS };          /* tensor[] */
enum { SHIFT = 8, LIMIT = 255, SCORE = 11 };                /* scale of W x, bound of x, q, k and v, scale of q k */
enum { HEAD = 2 };                                          /* words of a row before its prompt */

/* Most prompts are long: from a quarter of the room to all of it. */
static inline int64_t prompt_length(const int64_t *param, const int32_t *row)
{
    const int64_t least = (param[PROMPT] + 3) / 4;

    return least + row[0] % (param[PROMPT] - least + 1);
}

/* And answers short: from a quarter of the most to all of it. */
static inline int64_t answer_length(const int64_t *param, const int32_t *row)
{
    const int64_t least = (param[TOKENS] + 3) / 4;

    return least + row[1] % (param[TOKENS] - least + 1);
}

static inline int64_t prompt_token(const int64_t *param, const int32_t *row, int64_t i)
{
    return row[HEAD + i] % param[VOCAB];
}

#endif
