/* Names for what problem.c declares, in its order. */
#ifndef REDUCTION_PROBLEM_H
#define REDUCTION_PROBLEM_H

enum { ROWS, COLS }; /* param[] */
enum { X, Y };       /* tensor[] */

#endif
