/* Names for what problem.c declares, in its order, and the first key that a query sees. */
#ifndef SLIDING_WINDOW_PROBLEM_H
#define SLIDING_WINDOW_PROBLEM_H

#include <stdint.h>

enum { SEQ, WINDOW, DIM };   /* param[] */
enum { Q, K, V, O };         /* tensor[] */

static inline int64_t first_key(int64_t query, int64_t window)
{
    return query < window ? 0 : query - window + 1;
}

#endif
