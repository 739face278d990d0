/* Names for what problem.c declares, in its order, and the nets that are compared. */
#ifndef BANDIT_AUTOTUNE_PROBLEM_H
#define BANDIT_AUTOTUNE_PROBLEM_H

/* A net is HIDDEN rows of DIM weights and CHOICES rows of HIDDEN weights, all of 8 bits. Of a state x it chooses the first
 * largest of V max(0, U x / 32), the division cutting off towards zero; all in whole numbers. */
enum { DIM = 8, HIDDEN = 8, CHOICES = 4, NET = HIDDEN * DIM + CHOICES * HIDDEN, SHIFT = 32 };

enum { ARMS, STATES };         /* param[] */
enum { NETS, MODEL, X, BEST }; /* tensor[] */

/* best[0] is the net that was chosen, best[1] how many states it agrees on with the model, which is a net too. */

#endif
