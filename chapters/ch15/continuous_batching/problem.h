/* Names for what problem.c declares, in its order, what a row of the trace means, and the constants of the model. */
#ifndef CONTINUOUS_BATCHING_PROBLEM_H
#define CONTINUOUS_BATCHING_PROBLEM_H

#include <stdint.h>

enum { REQUESTS, MOST, PLACES, DIM, VOCAB };        /* param[] */
enum { TRACE, STATE, W, E, U, TOKEN };              /* tensor[] */
enum { SHIFT = 12, LIMIT = 1023 };                  /* scale of W s, bound of s */
enum { NOTHING = -1 };                              /* behind the end of an answer */

/* Tokens of an answer: a product of two uniform numbers, so that short answers are many and long ones few. */
static inline int64_t length_of(const int32_t *trace, int64_t most, int64_t request)
{
    return 1 + trace[2 * request] % most * (trace[2 * request + 1] % most) / most;
}

#endif
