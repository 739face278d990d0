/* top_k - the k largest elements of each row, in descending order, as a sampler wants them of its logits and a search of its
 * scores. Nobody asked for the order of the other n - k: a sort does work that is thrown away, and most elements can be
 * refused by one comparison with the k-th largest so far. k = 256 of 16384 is large enough that a heap begins to cost.
 * Values alone, so that equal elements leave one right answer; k is never above n. */
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

static int descending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x < y) - (x > y);
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[N], k = in->param[K];
    float *sorted = malloc((size_t)width * sizeof *sorted);
    double *y = to;

    (void)out;
    if (!sorted)
        abort();
    for (int64_t r = first; r < first + n; r++) {
        for (int64_t i = 0; i < width; i++)
            sorted[i] = ((const float *)in->tensor[X])[r * width + i];
        qsort(sorted, (size_t)width, sizeof *sorted, descending);
        for (int64_t i = 0; i < k; i++)
            *y++ = (double)sorted[i];
    }
    free(sorted);
}

static const struct aisp_param params[] = {
    { "rows", 3, 4, 0, 3, 4, 1 },
    { "n", 16384, 1003, 0, 15500, 17500, 1 },
    { "k", 256, 37, 0, 240, 280, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "rows, n", { AISP_NORMAL, 0, 1 }, { AISP_WIDE, -20, 20 } },
    { "y", AISP_OUT, AISP_F32, "rows, most(k, n)", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "The k largest of each row, in order",
    .teaches = "occupancy and warp efficiency: selection instead of sorting; heaps, radix select, a rising threshold",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*n + 4*rows*k",
    .flops = "~rows*n",
    .tolerance = { .ulps = 0, .why = "values are moved, never changed" },
    .reference = reference,
};
