/* Names for what problem.c declares, in its order. */
#ifndef KV_TRANSFER_PROBLEM_H
#define KV_TRANSFER_PROBLEM_H

enum { TOKENS, LAYERS, DIM, QUERIES }; /* param[] */
enum { X, W, Y };                      /* tensor[] */

/* A head has 16 of the dim numbers. Of a layer rank 0 has three matrices, rank 1 has one. */
enum { HEAD = 16 };
enum { WK, WV, WX, PREFILL_MATRICES };

#endif
