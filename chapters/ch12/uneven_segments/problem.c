/* uneven_segments - many small sums of uneven length: segment s has the first length[s] elements of its row, or all where it
 * has fewer. So are rows of a sparse matrix, tokens of requests, items for an expert. Lengths are random, so that the end of each loop
 * is a branch that nobody can predict, and a sum of a few elements waits for each of its additions. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t room = in->param[ROOM];
    const int32_t *length = in->tensor[LENGTH];
    const float *x = in->tensor[X];
    double *y = to;

    (void)out;
    for (int64_t s = first; s < first + n; s++) {
        double sum = 0;

        for (int64_t i = 0; i < length[s] && i < room; i++)
            sum += (double)x[s * room + i];
        *y++ = sum;
    }
}

/* Lengths are 0 to 36: by default some end with their row. quick: some do, and some have more than 32 elements. */
static const struct aisp_param params[] = {
    { "segments", 8192, 103, 0, 7800, 9000, 1 },
    { "room", 32, 34, 0, 32, 40, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "segments, room", { AISP_UNIFORM, 0.5, 1.5 } },
    { "length", AISP_IN, AISP_I32, "segments", { AISP_INTEGERS, 0, 37 } },
    { "sum", AISP_OUT, AISP_F32, "segments", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sums of segments of uneven length",
    .teaches = "dynamic work: loops whose ends cannot be predicted, masks instead of ends",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*segments",
    .flops = "0",
    .tolerance = { .ulps = 2, .length = "room", .why = "at most `room` terms of one sign, added one after another" },
    .reference = reference,
};
