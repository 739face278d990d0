/* Names for what problem.c declares, in its order. */
#ifndef CACHE_BLOCKING_PROBLEM_H
#define CACHE_BLOCKING_PROBLEM_H

enum { QUERIES, N };          /* param[] */
enum { THRESHOLD, X, COUNT }; /* tensor[] */

#endif
