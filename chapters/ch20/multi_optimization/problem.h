/* Names for what problem.c declares, in its order. */
#ifndef MULTI_OPTIMIZATION_PROBLEM_H
#define MULTI_OPTIMIZATION_PROBLEM_H

enum { SEQ, HEADS, DIM, HIDDEN };                                   /* param[] */
enum { X, NORM1, W_QKV, W_OUT, NORM2, W_UP, W_DOWN, Y };            /* tensor[] */

/* sqrt(2 / pi) and the cubic term of the usual approximation of GELU, and what keeps a norm from dividing by zero. */
#define GELU_SCALE 0.7978845608028654
#define GELU_CUBIC 0.044715
#define NORM_EPSILON 1e-5

#endif
