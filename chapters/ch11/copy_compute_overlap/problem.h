/* Names for what problem.c declares, in its order. */
#ifndef COPY_COMPUTE_OVERLAP_PROBLEM_H
#define COPY_COMPUTE_OVERLAP_PROBLEM_H

enum { N, TERMS };      /* param[] */
enum { X, C, Y };       /* tensor[] */

#endif
