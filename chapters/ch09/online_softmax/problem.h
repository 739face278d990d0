/* Names for what problem.c declares, in its order. */
#ifndef ONLINE_SOFTMAX_PROBLEM_H
#define ONLINE_SOFTMAX_PROBLEM_H

enum { ROWS, COLS }; /* param[] */
enum { X, Y };       /* tensor[] */

#endif
