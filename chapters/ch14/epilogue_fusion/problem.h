/* Names for what problem.c declares, in its order. */
#ifndef EPILOGUE_FUSION_PROBLEM_H
#define EPILOGUE_FUSION_PROBLEM_H

enum { ROWS, COLS, DEPTH };           /* param[] */
enum { A, WEIGHT, BIAS, RESIDUAL, Y }; /* tensor[] */

#endif
