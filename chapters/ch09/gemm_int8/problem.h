/* Names for what problem.c declares, in its order. */
#ifndef GEMM_INT8_PROBLEM_H
#define GEMM_INT8_PROBLEM_H

enum { M, N, K };     /* param[] */
enum { A, B, C };     /* tensor[] */

#endif
