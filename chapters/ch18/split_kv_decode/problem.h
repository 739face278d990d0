/* Names for what problem.c declares, in its order. */
#ifndef SPLIT_KV_DECODE_PROBLEM_H
#define SPLIT_KV_DECODE_PROBLEM_H

enum { KV_HEADS, GROUP, SEQ, DIM };   /* param[] */
enum { Q, K, V, O };                  /* tensor[] */

#endif
