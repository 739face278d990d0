/* Names for what problem.c declares, in its order. */
#ifndef VECTORIZED_LOAD_PROBLEM_H
#define VECTORIZED_LOAD_PROBLEM_H

enum { ROWS, COLS }; /* param[] */
enum { X, FIRST };   /* tensor[] */

#endif
