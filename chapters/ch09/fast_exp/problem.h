/* Names for what problem.c declares, in its order. */
#ifndef FAST_EXP_PROBLEM_H
#define FAST_EXP_PROBLEM_H

enum { N };    /* param[] */
enum { X, Y }; /* tensor[] */

#endif
