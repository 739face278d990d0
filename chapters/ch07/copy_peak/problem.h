/* Names for what problem.c declares, in its order. */
#ifndef COPY_PEAK_PROBLEM_H
#define COPY_PEAK_PROBLEM_H

enum { N };    /* param[] */
enum { X, Y }; /* tensor[] */

#endif
