/* Names for what problem.c declares, in its order, what a row of arrivals means, and the constants of the model. */
#ifndef SERVE_IN_FLIGHT_PROBLEM_H
#define SERVE_IN_FLIGHT_PROBLEM_H

#include <stdint.h>

enum { REQUESTS, RATE, MOST, PLACES, DIM, VOCAB };          /* param[] */
enum { W, E, U, ARRIVALS, EMISSIONS };                      /* tensor[] */
enum { SHIFT = 12, LIMIT = 1023 };                          /* scale of W s, bound of s */
enum { LENGTH, TOKEN = 2, WORDS };                          /* a row: two numbers for the length, the first token */

/* Tokens of an answer: a product of two uniform numbers, so that short answers are many and long ones few. */
static inline int64_t answer_length(const int64_t *param, const int32_t *row)
{
    const int64_t most = param[MOST];

    return 1 + row[LENGTH] % most * (row[LENGTH + 1] % most) / most;
}

static inline int64_t first_token(const int64_t *param, const int32_t *row)
{
    return row[TOKEN] % param[VOCAB];
}

#endif
