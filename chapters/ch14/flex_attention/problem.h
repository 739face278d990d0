/* Names for what problem.c declares, in its order. */
#ifndef FLEX_ATTENTION_PROBLEM_H
#define FLEX_ATTENTION_PROBLEM_H

enum { HEADS, SEQ, DIM, DOCUMENTS }; /* param[] */
enum { LENGTH, Q, K, V, O };         /* tensor[] */

/* What head h takes off a score for each position of distance. */
#define SLOPE_OF(head) (1.0f / (float)(16 << ((head) & 7)))

#endif
