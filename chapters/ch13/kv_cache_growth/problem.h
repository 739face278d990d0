/* Names for what problem.c declares, in its order. */
#ifndef KV_CACHE_GROWTH_PROBLEM_H
#define KV_CACHE_GROWTH_PROBLEM_H

enum { REQUESTS, MOST, DIM };  /* param[] */
enum { TOKENS, Q, K, V, O };   /* tensor[] */

#endif
