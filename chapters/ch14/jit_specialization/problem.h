/* Names for what problem.c declares, in its order. */
#ifndef JIT_SPECIALIZATION_PROBLEM_H
#define JIT_SPECIALIZATION_PROBLEM_H

enum { ELEMENTS, ROWS, DEPTH, COLS }; /* param[] */
enum { D, U, Y };                     /* tensor[] */

#endif
