/* Names for what problem.c declares, in its order, and the constants of the optimizer. */
#ifndef FUSED_ADAMW_PROBLEM_H
#define FUSED_ADAMW_PROBLEM_H

enum { N };                                  /* param[] */
enum { P, G, M, V, P_NEW, M_NEW, V_NEW };    /* tensor[] */

/* Step 10 of a run with the usual constants (Loshchilov and Hutter, ICLR 2019, algorithm 2): C1 = 1 - B1^10, C2 = 1 - B2^10. */
#define B1 0.9f
#define B2 0.999f
#define LR 1e-3f
#define DECAY 1e-2f
#define EPSILON 1e-8f
#define C1 0.6513215599f
#define C2 0.0099551202f

#endif
