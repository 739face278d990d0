/* Names for what problem.c declares, in its order. */
#ifndef TOP_K_PROBLEM_H
#define TOP_K_PROBLEM_H

enum { ROWS, N, K }; /* param[] */
enum { X, Y };       /* tensor[] */

#endif
