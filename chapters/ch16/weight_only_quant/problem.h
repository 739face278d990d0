/* Names for what problem.c declares, in its order, and how a weight is stored. */
#ifndef WEIGHT_ONLY_QUANT_PROBLEM_H
#define WEIGHT_ONLY_QUANT_PROBLEM_H

/* Weight [r][c] is (nibble - 8) times the scale of its group of 32 columns. The nibble of an even column is the lower half of
 * byte [r][c / 2], that of an odd one the upper half. */
enum { GROUP = 32, ZERO = 8 };

enum { ROWS, COLS };         /* param[] */
enum { W, SCALE, X, Y };     /* tensor[] */

#endif
