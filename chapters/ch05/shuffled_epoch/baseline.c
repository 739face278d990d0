/* baseline - one read for each record, where it lies. */
#include <unistd.h>

#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct aisp_file *data = call->tensor[DATA];
    const int32_t *order = call->tensor[ORDER];
    const size_t bytes = (size_t)call->param[FIELDS] * sizeof(float);
    char *batch = call->tensor[BATCH];

    for (int64_t i = 0; i < call->param[RECORDS]; i++)
        if (pread(data->fd, batch + (size_t)i * bytes, bytes, (off_t)((size_t)order[i] * bytes)) != (ssize_t)bytes)
            return AISP_E_IO;
    return AISP_OK;
}

AISP_DECLARE("idea: one read for each record, in the order that is asked for");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
