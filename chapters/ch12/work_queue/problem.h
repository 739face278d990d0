/* Names for what problem.c declares, in its order, and one round. */
#ifndef WORK_QUEUE_PROBLEM_H
#define WORK_QUEUE_PROBLEM_H

#include <stdint.h>

enum { ITEMS };             /* param[] */
enum { SEED, ROUNDS, HASH }; /* tensor[] */

#define ROUND_MULTIPLIER 0x2c1b3c6du
#define ROUND_INCREMENT  0x9e3779b9u

/* Most items are short, a few are long; no item has more rounds than this. */
#define ROUNDS_LIMIT 512

#endif
