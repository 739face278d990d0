/* Names for what problem.c declares, in its order. */
#ifndef UNEVEN_SEGMENTS_PROBLEM_H
#define UNEVEN_SEGMENTS_PROBLEM_H

enum { SEGMENTS, ROOM }; /* param[] */
enum { X, LENGTH, SUM }; /* tensor[] */

#endif
