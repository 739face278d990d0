/* Names for what problem.c declares, in its order. */
#ifndef STRIDED_ACCESS_PROBLEM_H
#define STRIDED_ACCESS_PROBLEM_H

enum { ROWS, COLS }; /* param[] */
enum { X, Y };       /* tensor[] */

#endif
