/* Names for what problem.c declares, in its order. */
#ifndef SMALL_GEMM_PROBLEM_H
#define SMALL_GEMM_PROBLEM_H

enum { BATCH, M, N, K }; /* param[] */
enum { A, B, C };        /* tensor[] */

#endif
