/* Names for what problem.c declares, in its order. */
#ifndef HISTOGRAM_PROBLEM_H
#define HISTOGRAM_PROBLEM_H

enum { SEGMENTS, N };         /* param[] */
enum { EVEN, SKEWED, COUNT }; /* tensor[] */
enum { BINS = 256 };          /* a key is a byte */

#endif
