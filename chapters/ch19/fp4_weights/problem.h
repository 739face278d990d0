/* Names for what problem.c declares, in its order, and how a weight is stored. */
#ifndef FP4_WEIGHTS_PROBLEM_H
#define FP4_WEIGHTS_PROBLEM_H

/* Weight [r][c] is a 4-bit float (sign, two bits of exponent, one of fraction: 0, 0.5, 1, 1.5, 2, 3, 4, 6) times the scale
 * of its block of 16 columns, an 8-bit float (four bits of exponent, three of fraction). The nibble of an even column is the
 * lower half of byte [r][c / 2], that of an odd one the upper half. */
enum { BLOCK = 16 };

enum { ROWS, COLS };         /* param[] */
enum { W, SCALE, X, Y };     /* tensor[] */

#endif
