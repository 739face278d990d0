/* compare.h - elements against their truth, for judge.c and mutants.c. */
#ifndef AISP_JUDGE_COMPARE_H
#define AISP_JUDGE_COMPARE_H

#include <stdbool.h>

#include "core/judge/judge.h"

struct aisp_comparing {
    enum aisp_dtype dtype;
    const void *got;   /* n elements */
    const void *truth; /* n doubles, or int64_t for integers */
    int64_t n, first;  /* first: index of got[0] in the whole tensor */
    double relative,
        norm; /* of aisp_tolerance_relative(); relative Frobenius error allowed, 0 = not used */
    const struct aisp_philox *poison; /* or NULL */
    double least_rms; /* of truths beside these, for both bounds; 0: there are enough of these */
};

/* Fills all of *answer but `why`. */
void aisp_compare(const struct aisp_comparing *c, struct aisp_comparison *answer);
void aisp_compare_by(bool avx2, const struct aisp_comparing *c, struct aisp_comparison *answer);

double aisp_tolerance_norm(const struct aisp_instance *inst, enum aisp_dtype dtype);
/* Root mean square of the finite ones among n truths. */
double aisp_compare_rms(bool avx2, const double *truth, int64_t n);

/* Shared with compare_avx2.c. Sums go by lane i % 4, so that both paths add in the same order. */
struct aisp_float_pass {
    const float *got;
    const double *truth;
    int64_t n;
    double relative, rms,
        scale; /* bound = relative * max(|r|, rms); squares are of values times scale */
    double error2[4];
    double worst; /* largest |y - r| / max(|r|, rms) */
    double max_abs;
};
/* From i, a multiple of 4, in groups of 4, until one holds an element that is not plainly inside
 * its bound; returns its index or that of the last, incomplete group. */
int64_t aisp_float_pass_avx2(struct aisp_float_pass *p, int64_t i);
/* Sums of (r * scale)^2 by lane and the largest |r|; NaN or Inf among them make a lane not finite.
 * n a multiple of 4. */
void aisp_squares_avx2(const double *truth, int64_t n, double scale, double sum[4], double *max);

#endif
