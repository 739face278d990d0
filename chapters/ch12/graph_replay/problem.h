/* Names for what problem.c declares, in its order, and the operators. */
#ifndef GRAPH_REPLAY_PROBLEM_H
#define GRAPH_REPLAY_PROBLEM_H

enum { ROWS, COLS, STEPS };                         /* param[]; the vector has rows*cols elements */
enum { OPERATOR, AMOUNT, REACH, X, Y };             /* tensor[]; the first three are weights, in this order */
enum { SCALE, SHIFT, LEAKY, MIX, N_OPERATORS };     /* what OPERATOR holds */

#define LEAK     0.75f
#define MIX_OWN  0.96f
#define MIX_NEXT 0.28f

#endif
