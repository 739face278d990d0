/* Names for what problem.c declares, in its order. */
#ifndef ACTIVATION_CHECKPOINTING_PROBLEM_H
#define ACTIVATION_CHECKPOINTING_PROBLEM_H

enum { LAYERS, BATCH, WIDTH };     /* param[] */
enum { X, GRAD, W, Y, DX, DW };    /* tensor[] */

#endif
