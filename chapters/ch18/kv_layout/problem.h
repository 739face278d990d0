/* Names for what problem.c declares, in its order. */
#ifndef KV_LAYOUT_PROBLEM_H
#define KV_LAYOUT_PROBLEM_H

enum { STEPS, TOKENS, HEADS, DIM };   /* param[] */
enum { Q, K, V, O };                  /* tensor[] */

#endif
