/* Names for what problem.c declares, in its order. */
#ifndef BANK_CONFLICTS_PROBLEM_H
#define BANK_CONFLICTS_PROBLEM_H

enum { ROWS };    /* param[] */
enum { X, W, Y }; /* tensor[] */

enum { COLS = 1024, TAPS = 16 };

#endif
