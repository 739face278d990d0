/* file_read - a sum for each row of a table that lies in a file, and in no cache. How the bytes come from the disk is all that the
 * variants differ in; adding them up is one instruction an element. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[COLS];
    const int32_t *data = in->tensor[DATA];
    int64_t *sum = to;

    (void)out;
    for (int64_t row = first; row < first + n; row++) {
        int64_t s = 0;

        for (int64_t i = 0; i < cols; i++)
            s += data[row * cols + i];
        *sum++ = s;
    }
}

static const struct aisp_param params[] = {
    { "rows", 4096, 37, 0, 3800, 4600, 1 },
    { "cols", 1024, 200, 0, 1000, 1100, 4 },
    { 0 },
};

/* A row fits the baseline's buffer. */
static const struct aisp_tensor tensors[] = {
    { .name = "data",
      .role = AISP_FILE,
      .dtype = AISP_I32,
      .dims = "rows, most(cols, 4096)",
      .fill = { AISP_INTEGERS, -1000000, 1000000 },
      .pages = AISP_COLD },
    { .name = "sum", .role = AISP_OUT, .dtype = AISP_I64, .dims = "rows" },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Add up the rows of a file",
    .teaches = "storage: size of reads, the page cache, O_DIRECT, mapping",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*cols",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "sums of whole numbers" },
    .reference = reference,
};
