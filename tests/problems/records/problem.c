/* records - sums of the rows of a file that is read from the disk. */
#include <aisp/problem.h>

enum { DATA, SUM };

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cols = in->param[1];
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
    { "rows", 256, 33, 0, 250, 300, 1 },
    { "cols", 256, 64, 0, 250, 300, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { .name = "data", .role = AISP_FILE, .dtype = AISP_I32, .dims = "rows, cols", .fill = { AISP_INTEGERS, -1000, 1000 },
      .pages = AISP_COLD },
    { .name = "sum", .role = AISP_OUT, .dtype = AISP_I64, .dims = "rows" },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Sums of the rows of a file",
    .teaches = "nothing",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*rows*cols",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "sums of whole numbers" },
    .reference = reference,
};
