/* Names for what problem.c declares, in its order. */
#ifndef STREAM_COMPACTION_PROBLEM_H
#define STREAM_COMPACTION_PROBLEM_H

enum { ROWS, N };             /* param[] */
enum { X, LEVEL, Y, COUNT };  /* tensor[] */

#endif
