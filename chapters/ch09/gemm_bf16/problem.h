/* Names for what problem.c declares, in its order. */
#ifndef GEMM_BF16_PROBLEM_H
#define GEMM_BF16_PROBLEM_H

enum { M, N, K };     /* param[] */
enum { A, B, C };     /* tensor[] */

#endif
