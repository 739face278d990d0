/* Names for what problem.c declares, in its order. */
#ifndef GRID_SYNC_PROBLEM_H
#define GRID_SYNC_PROBLEM_H

enum { CELLS, STEPS }; /* param[] */
enum { X, Y };         /* tensor[] */

#endif
