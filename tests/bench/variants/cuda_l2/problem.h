/* Names for what problem.c declares, in its order. */
#ifndef CUDA_L2_PROBLEM_H
#define CUDA_L2_PROBLEM_H

enum { N, PASSES }; /* param[] */
enum { X, Y };      /* tensor[] */

#endif
