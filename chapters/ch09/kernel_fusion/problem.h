/* Names for what problem.c declares, in its order. */
#ifndef KERNEL_FUSION_PROBLEM_H
#define KERNEL_FUSION_PROBLEM_H

enum { ROWS, COLS };              /* param[] */
enum { X, R, SCALE, BIAS, Y };    /* tensor[] */

#endif
