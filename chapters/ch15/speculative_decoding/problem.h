/* Names for what problem.c declares, in its order, and the constants of the model. */
#ifndef SPECULATIVE_DECODING_PROBLEM_H
#define SPECULATIVE_DECODING_PROBLEM_H

#include <stdint.h>

enum { TOKENS, LAYERS, DIM, VOCAB };                /* param[] */
enum { E, POSITION, W, U, STATE, TOKEN };           /* tensor[] */
enum { SHIFT = 18, BEND = 255, LIMIT = 4095 };      /* of a layer: scale of W x, bound of what it adds, bound of x */

#endif
