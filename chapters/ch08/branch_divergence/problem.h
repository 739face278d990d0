/* Names for what problem.c declares, in its order, and the rule that it states. */
#ifndef BRANCH_DIVERGENCE_PROBLEM_H
#define BRANCH_DIVERGENCE_PROBLEM_H

enum { N };       /* param[] */
enum { X, C, Y }; /* tensor[] */

enum { TERMS = 64 };    /* elements of c */
#define HARD_FROM 0.875f /* an x of at least this goes the long way */

#endif
