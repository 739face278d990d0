/* Names for what problem.c declares, in its order. */
#ifndef ALLREDUCE_PROBLEM_H
#define ALLREDUCE_PROBLEM_H

enum { N, RANKS }; /* param[] */
enum { X, Y };     /* tensor[], of each rank */

#endif
