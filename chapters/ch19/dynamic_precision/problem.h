/* Names for what problem.c declares, in its order. */
#ifndef DYNAMIC_PRECISION_PROBLEM_H
#define DYNAMIC_PRECISION_PROBLEM_H

enum { LAYERS, WIDTH };      /* param[] */
enum { W, GAIN, X, Y };      /* tensor[] */

#endif
