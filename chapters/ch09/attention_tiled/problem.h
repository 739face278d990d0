/* Names for what problem.c declares, in its order. */
#ifndef ATTENTION_TILED_PROBLEM_H
#define ATTENTION_TILED_PROBLEM_H

enum { SEQ, DIM };     /* param[] */
enum { Q, K, V, O };   /* tensor[] */

#endif
