/* Names for what problem.c declares, in its order. */
#ifndef FILE_READ_PROBLEM_H
#define FILE_READ_PROBLEM_H

enum { ROWS, COLS }; /* param[] */
enum { DATA, SUM };  /* tensor[] */

#endif
