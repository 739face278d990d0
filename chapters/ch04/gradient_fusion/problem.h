/* Names for what problem.c declares, in its order. */
#ifndef GRADIENT_FUSION_PROBLEM_H
#define GRADIENT_FUSION_PROBLEM_H

enum { TENSORS, LENGTH, RANKS }; /* param[] */
enum { X, Y };                   /* tensor[], of each rank */

#endif
