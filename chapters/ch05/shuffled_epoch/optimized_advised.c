/* optimized_advised - the same reads, after the kernel was told to bring in the whole file.
 * Expected: the disk is busy with large reads from the first moment on, and most records are there when they are asked for; what is
 * left are the calls. A data set that does not fit into memory cannot be asked for as a whole: then this is a window that moves.
 * Costs: the page cache holds all of the file. */
#include <fcntl.h>
#include <unistd.h>

#include <aisp/variant.h>

#include "problem.h"

enum { PART = 2 << 20 }; /* the kernel cuts a longer wish short */

static enum aisp_status run(const struct aisp_call *call)
{
    const struct aisp_file *data = call->tensor[DATA];
    const int32_t *order = call->tensor[ORDER];
    const size_t bytes = (size_t)call->param[FIELDS] * sizeof(float);
    char *batch = call->tensor[BATCH];

    for (int64_t at = 0; at < data->bytes; at += PART)
        readahead(data->fd, at, PART);
    for (int64_t i = 0; i < call->param[RECORDS]; i++)
        if (pread(data->fd, batch + (size_t)i * bytes, bytes, (off_t)((size_t)order[i] * bytes)) != (ssize_t)bytes)
            return AISP_E_IO;
    return AISP_OK;
}

AISP_DECLARE("idea: ask for all of the file first, then read as before\n"
             "expect: major faults and disk requests / 10");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
