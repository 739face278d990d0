/* syscall_batching - a file of records, each of a short head and a body, is read into two tables: one of heads, one of
 * bodies.
 * Why it is interesting: the file lies in the page cache and copying a record is a matter of nanoseconds. Asking the kernel
 * for it costs more: the way in and out, what protects it from side channels, finding file and page, each time. How often
 * to ask, and for how much, is the whole difference. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t head = in->param[HEAD_WORDS], body = in->param[BODY_WORDS], words = head + body;
    const int64_t from = out == HEAD ? 0 : head, count = out == HEAD ? head : body;
    const int32_t *log = in->tensor[LOG];
    int64_t *part = to;

    for (int64_t r = first; r < first + n; r++)
        for (int64_t i = 0; i < count; i++)
            *part++ = log[r * words + from + i];
}

static const struct aisp_param params[] = {
    { "records", 4096, 37, 65536, 3900, 4400, 1 },
    { "head", 4, 3, 0, 3, 6, 1 },
    { "body", 60, 20, 0, 56, 66, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { .name = "log",
      .role = AISP_FILE,
      .dtype = AISP_I32,
      .dims = "records, head+body",
      .fill = { AISP_INTEGERS, -1000000, 1000000 },
      .pages = AISP_CACHED },
    { .name = "heads", .role = AISP_OUT, .dtype = AISP_I32, .dims = "records, head" },
    { .name = "bodies", .role = AISP_OUT, .dtype = AISP_I32, .dims = "records, body" },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Read records into two tables",
    .teaches = "operating system: the price of a system call, vectored reads, one call for many records",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*records*(head+body)",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "numbers are moved and not changed" },
    .reference = reference,
};
