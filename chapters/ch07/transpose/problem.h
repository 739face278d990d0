/* Names for what problem.c declares, in its order. */
#ifndef TRANSPOSE_PROBLEM_H
#define TRANSPOSE_PROBLEM_H

enum { ROWS, COLS }; /* param[] */
enum { X, Y };       /* tensor[] */

#endif
