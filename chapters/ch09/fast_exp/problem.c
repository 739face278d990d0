/* fast_exp - y[i] = exp(x[i]) in f32, every element right to 2 ulp: for any x, with infinities, NaN, and results below the
 * smallest normal number. All of it is in the second-level cache, so what counts is the arithmetic.
 * Why it is interesting: the exponential is most of a softmax, and a library's function gives one result a call, after
 * branches for special cases. Without branches the same arithmetic runs in as many lanes as the machine has.
 * Why accept and not a reference: the usual tolerance is relative to the size of all results, and exp(88) is 2^250 times
 * exp(-87). One exponential is counted as one operation. */
#include <math.h>
#include <stdio.h>

#include <aisp/problem.h>

#include "problem.h"

/* The distance of neighbours in f32 where `value`, positive, lies. */
static double ulp_at(double value)
{
    int exponent;

    frexp(value, &exponent);
    return ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

/* An infinity stands for the number that would follow the largest. */
static int is_right(float x, float y)
{
    const double truth = exp((double)x);
    const double got = isinf(y) && y > 0 ? 0x1p128 : (double)y;

    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (truth >= 0x1p128)
        return got == 0x1p128;
    return y >= 0 && fabs(got - truth) <= 2 * ulp_at(truth);
}

static int64_t accept(const struct aisp_view *in, const void *const *out, char *why, int why_size)
{
    const float *x = in->tensor[X], *y = out[0];

    for (int64_t i = 0; i < in->param[N]; i++)
        if (!is_right(x[i], y[i])) {
            snprintf(why, (size_t)why_size, "exp(%.9g) is %.9g, but here %.9g, more than 2 ulp away", (double)x[i],
                     exp((double)x[i]), (double)y[i]);
            return i + 1;
        }
    return 0;
}

static const struct aisp_param params[] = {
    { "n", 16384, 333, 0, 14000, 18000, 1 },
    { 0 },
};

/* Arguments with normal results; the stress has all others, too large and too small ones. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, -87, 88 }, { AISP_WIDE, -30, 12 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Exponentials of a vector",
    .teaches = "kernel efficiency: range reduction and polynomials instead of library calls; lanes",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "~n",
    .tolerance = { .ulps = 4, .why = "stated in accept: two units in the last place of each element, which are 4 u at most" },
    .accept = accept,
};
