/* shuffled_epoch - the records of a file, in a random order: what a training epoch asks of its data set. Nothing of the file is in
 * the page cache; a record is smaller than a page, so that who reads records reads pages, again and again. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t fields = in->param[FIELDS];
    const float *data = in->tensor[DATA];
    const int32_t *order = in->tensor[ORDER];
    double *batch = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        for (int64_t f = 0; f < fields; f++)
            *batch++ = (double)data[order[i] * fields + f];
}

static const struct aisp_param params[] = {
    { "records", 2048, 61, 0, 1900, 2300, 1 },
    { "fields", 256, 33, 0, 240, 280, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { .name = "data",
      .role = AISP_FILE,
      .dtype = AISP_F32,
      .dims = "records, fields",
      .fill = { AISP_NORMAL, 0, 1 },
      .pages = AISP_COLD },
    { .name = "order", .role = AISP_IN, .dtype = AISP_I32, .dims = "records", .fill = { AISP_PERMUTATION, 0, 0 } },
    { .name = "batch", .role = AISP_OUT, .dtype = AISP_F32, .dims = "records, fields" },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Read the records of a file in random order",
    .teaches = "input pipelines: random small reads against large ones in order, with the randomness kept",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*records*fields + 4*records",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "a copy" },
    .reference = reference,
};
