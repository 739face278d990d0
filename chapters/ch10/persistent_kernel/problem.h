/* Names for what problem.c declares, in its order. */
#ifndef PERSISTENT_KERNEL_PROBLEM_H
#define PERSISTENT_KERNEL_PROBLEM_H

enum { BLOCKS, CHANNELS, SAMPLES }; /* param[] */
enum { X, LEVEL };                  /* tensor[] */

/* The control law of problem.c. */
enum { GAIN_FIRST = 256, GAIN_LEAST = 16, GAIN_MOST = 1024, WANTED = 256 };

#endif
