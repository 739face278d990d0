/* Names for what problem.c declares, in its order. */
#ifndef DOT_ILP_PROBLEM_H
#define DOT_ILP_PROBLEM_H

enum { ROWS, N }; /* param[] */
enum { A, B, Y }; /* tensor[] */

#endif
