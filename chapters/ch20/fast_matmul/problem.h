/* Names for what problem.c declares, in its order. */
#ifndef FAST_MATMUL_PROBLEM_H
#define FAST_MATMUL_PROBLEM_H

enum { SIZE };    /* param[] */
enum { A, B, C }; /* tensor[] */

#endif
