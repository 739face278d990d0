/* copy_compute_overlap - y[i] = sum over k of c[k] T_k(x[i]), a Chebyshev series at many points, by Clenshaw's recurrence
 * b_k = c_k + 2 x b_(k+1) - b_(k+2) from the last term down, y = c_0 + x b_1 - b_2.
 * Why it is interesting: a point comes, is worked on, and its value leaves, and these are the business of different machinery:
 * of two copy engines and the multiprocessors where a device has memory of its own, of loads, arithmetic and stores in a core.
 * With as many terms as make the three about equally long, one after the other takes three times as long as all at once. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = (const float *)in->tensor[X] + first, *c = in->tensor[C];
    double *y = to;

    (void)out;
    for (int64_t i = 0; i < n; i++) {
        double before = 1, term = x[i]; /* T_0, T_1 */

        y[i] = c[0];
        for (int64_t k = 1; k < in->param[TERMS]; k++) {
            const double next = 2 * (double)x[i] * term - before;

            y[i] += c[k] * term;
            before = term;
            term = next;
        }
    }
}

/* quick: beyond 15 bits, so that an index that was kept in too few is lost at once. */
static const struct aisp_param params[] = {
    { "n", 4194304, 40003, 33554432, 4000000, 4800000, 1 },
    { "terms", 12, 5, 1024, 10, 14, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, -0.75, 0.75 } },
    { "c", AISP_WEIGHT, AISP_F32, "terms", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A Chebyshev series at many points",
    .teaches = "streams and concurrency: copies and kernels in a ring of streams; read, compute and write under way at once",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n + 4*terms",
    .flops = "~3*n*terms",
    .tolerance = { .ulps = 32,
                   .length = "terms",
                   .why = "an error of step k reaches y times |U_k(x)| <= 1/sin(theta), at most 1.51 for |x| <= 0.75, and so do "
                          "the b_k grow: 2.3 u of the rms of y times sqrt(terms), with random signs (Higham 2002, section 5.2); 32 "
                          "leaves room for the largest of millions" },
    .reference = reference,
};

/* Points go through in groups; less than a group is all remainder. */
AISP_SWEEP("n=16:4096:x4");
