/* Names for what problem.c declares, in its order. */
#ifndef MLP_MICROBATCH_PROBLEM_H
#define MLP_MICROBATCH_PROBLEM_H

enum { MICRO, ROWS, WIDTH, HIDDEN }; /* param[] */
enum { X, W1, BIAS1, W2, BIAS2, Y }; /* tensor[] */

#endif
