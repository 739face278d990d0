/* Names for what problem.c declares, in its order. */
#ifndef SCAN_PROBLEM_H
#define SCAN_PROBLEM_H

enum { ROWS, COLS }; /* param[] */
enum { X, Y };       /* tensor[] */

#endif
