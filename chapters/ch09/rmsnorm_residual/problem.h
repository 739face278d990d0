/* Names for what problem.c declares, in its order, and the constant of the norm. */
#ifndef RMSNORM_RESIDUAL_PROBLEM_H
#define RMSNORM_RESIDUAL_PROBLEM_H

#define EPSILON 1e-5f

enum { ROWS, COLS };       /* param[] */
enum { X, R, G, H, Y };    /* tensor[] */

#endif
