/* Names for what problem.c declares, in its order, and the rules of the workers. */
#ifndef ROUTING_POLICY_PROBLEM_H
#define ROUTING_POLICY_PROBLEM_H

#include <stdint.h>

enum { REQUESTS, TOKENS, DIM };                    /* param[] */
enum { DOCUMENT, X, WK, WV, Q, Y, WORKER };        /* tensor[] */

/* Documents that requests ask about; workers; documents whose keys and values fit a worker's cache. */
enum { DOCUMENTS = 24, WORKERS = 4, PLACES = 5 };

/* The most requests that one worker may serve of the first n: its share, a quarter more, and four. */
static inline int64_t load_limit(int64_t n)
{
    return n / WORKERS + n / (4 * WORKERS) + 4;
}

#endif
