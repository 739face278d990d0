/* Names for what problem.c declares, in its order, and the one size that is no parameter. */
#ifndef KERNEL_SEARCH_PROBLEM_H
#define KERNEL_SEARCH_PROBLEM_H

enum { HEIGHT, WIDTH };      /* param[]: of y */
enum { X, WEIGHTS, Y };      /* tensor[] */
enum { TAPS = 7 };           /* the filter has TAPS x TAPS weights */

#endif
