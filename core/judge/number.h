/* number.h - one element of any dtype as a double or an int64_t, and back, rounded to nearest even.
 * Why by hand: the compiler has no fp8, and a fill must give the same bits with every compiler. */
#ifndef AISP_JUDGE_NUMBER_H
#define AISP_JUDGE_NUMBER_H

#include <stdint.h>

#include <aisp/problem.h>

/* Floating types. One rounding, to nearest even. Too large becomes Inf; f8e4m3, which has none,
 * keeps its largest number, 448, and turns Inf into NaN. */
double aisp_number_load(const void *base, int64_t i, enum aisp_dtype dtype);
void aisp_number_store(void *base, int64_t i, enum aisp_dtype dtype, double x);
/* Elements 0 .. n-1 at once. */
void aisp_numbers_store(void *base, enum aisp_dtype dtype, const double *x, int64_t n);
void aisp_numbers_load(const void *base, enum aisp_dtype dtype, double *x, int64_t n);
double aisp_number_round(enum aisp_dtype dtype, double x); /* what a store and a load make of x */

/* The largest number of the type that is <= x, and the smallest >= x. x within the type's range. */
double aisp_number_below(enum aisp_dtype dtype, double x);
double aisp_number_above(enum aisp_dtype dtype, double x);

/* Exponent of the smallest normal number: -126 for f32. */
int aisp_number_least_exponent(enum aisp_dtype dtype);

/* Integer types; a store keeps the low bits. */
int64_t aisp_integer_load(const void *base, int64_t i, enum aisp_dtype dtype);
void aisp_integer_store(void *base, int64_t i, enum aisp_dtype dtype, int64_t x);
void aisp_integers_store(void *base, enum aisp_dtype dtype, const int64_t *x, int64_t n);

#endif
