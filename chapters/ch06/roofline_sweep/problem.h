/* Names for what problem.c declares, in its order. */
#ifndef ROOFLINE_SWEEP_PROBLEM_H
#define ROOFLINE_SWEEP_PROBLEM_H

enum { N, TERMS }; /* param[] */
enum { X, C, Y };  /* tensor[] */

#endif
