/* vector_add - z = x + y. One addition for twelve bytes: all there is to tune is how the bytes
 * move.
 * The three vectors (96 MiB) do not fit the caches. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[X], *y = in->tensor[Y];
    double *z = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *z++ = (double)x[i] + (double)y[i];
}

/* quick: beyond 15 bits, so that an index that was kept in too few is lost at once. */
static const struct aisp_param params[] = {
    { "n", 8388608, 40003, 268435456, 8000000, 8800000, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_IN, AISP_F32, "n", { AISP_NORMAL, 0, 1 } },
    { "z", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Add two vectors",
    .teaches = "first kernels: vector width; grid-stride loops; on the CPU write-allocate and "
               "non-temporal stores",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "12*n",
    .flops = "n",
    .tolerance = { .ulps = 1,
                   .why = "one addition, correctly rounded: |error| <= u |z| (IEEE 754)" },
    .reference = reference,
};
