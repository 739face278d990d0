/* Names for what problem.c declares, in its order, and what a row of the trace means. */
#ifndef EARLY_REJECTION_PROBLEM_H
#define EARLY_REJECTION_PROBLEM_H

#include <stdint.h>

enum { REQUESTS, PROMPT, TOKENS, PLACES, DIM };   /* param[] */
enum { TRACE, IDS, E, WQ, WK, WV, Y };            /* tensor[] */
enum { GAP, PROMPT_LENGTH, ANSWER_LENGTH, FIELDS }; /* of a row of the trace */
enum { MOST_DIM = 32 };                           /* where dim is larger, steps enlarge the errors of the ones before */
enum { GAPS = 2 };                                /* a request comes with the one before or an iteration behind it */

static inline int64_t gap_of(const int32_t *trace, int64_t r)
{
    return trace[r * FIELDS + GAP] % GAPS;
}

static inline int64_t prompt_of(const int32_t *trace, const int64_t *param, int64_t r)
{
    return 1 + trace[r * FIELDS + PROMPT_LENGTH] % param[PROMPT];
}

static inline int64_t answer_of(const int32_t *trace, const int64_t *param, int64_t r)
{
    return 1 + trace[r * FIELDS + ANSWER_LENGTH] % param[TOKENS];
}

#endif
