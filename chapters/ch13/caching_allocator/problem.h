/* Names for what problem.c declares, in its order. */
#ifndef CACHING_ALLOCATOR_PROBLEM_H
#define CACHING_ALLOCATOR_PROBLEM_H

enum { STEPS, MOST, LAYERS, WIDTH };      /* param[] */
enum { LENGTH, X, GRAD, WEIGHT, BIAS, DW }; /* tensor[] */

#endif
