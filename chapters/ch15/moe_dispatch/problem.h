/* Names for what problem.c declares, in its order. */
#ifndef MOE_DISPATCH_PROBLEM_H
#define MOE_DISPATCH_PROBLEM_H

enum { TOKENS, EXPERTS, WIDTH }; /* param[] */
enum { X, EXPERT, WEIGHTS, Y };  /* tensor[] */

#endif
