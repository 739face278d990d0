/* Names for what problem.c declares, in its order. */
#ifndef STREAM_ORDERED_ALLOC_PROBLEM_H
#define STREAM_ORDERED_ALLOC_PROBLEM_H

enum { REQUESTS, KEYS };              /* param[] */
enum { KEY, DISTINCT, COMMON, HIGH }; /* tensor[] */

enum { LIVE = 4 }; /* a table is needed until the request so many later has been served */

#endif
