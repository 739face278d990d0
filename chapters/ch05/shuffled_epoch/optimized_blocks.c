/* optimized_blocks - the file from its begin to its end in pieces of half a MiB, and each record to its place in the batch.
 * Expected: the disk sees large reads in order, and the calls are a few dozen instead of one for each record. The randomness is
 * kept: it has moved from the reads to the stores, where it costs a cache miss instead of a disk access.
 * Costs: the order turned round (4 bytes a record), scratch of half a MiB, and the batch has to be in memory as a whole. Where it does
 * not fit, blocks are shuffled and records within a few blocks: nearly as random. */
#include <unistd.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { PIECE_BYTES = 512 << 10 };

static int64_t records_of_a_piece(const int64_t *param)
{
    const int64_t n = PIECE_BYTES / (param[FIELDS] * (int64_t)sizeof(float));

    return n > 0 ? n : 1;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(records_of_a_piece(param) * param[FIELDS]) * sizeof(float) + (size_t)param[RECORDS] * sizeof(int32_t);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct aisp_file *data = call->tensor[DATA];
    const int64_t records = call->param[RECORDS], step = records_of_a_piece(call->param);
    const int32_t *order = call->tensor[ORDER];
    const size_t bytes = (size_t)call->param[FIELDS] * sizeof(float);
    char *batch = call->tensor[BATCH], *piece = call->workspace;
    int32_t *place = (int32_t *)(piece + (size_t)step * bytes);

    for (int64_t i = 0; i < records; i++)
        place[order[i]] = (int32_t)i;
    for (int64_t r = 0; r < records; r += step) {
        const int64_t n = records - r < step ? records - r : step;

        if (pread(data->fd, piece, (size_t)n * bytes, (off_t)((size_t)r * bytes)) != (ssize_t)((size_t)n * bytes))
            return AISP_E_IO;
        for (int64_t i = 0; i < n; i++)
            memcpy(batch + (size_t)place[r + i] * bytes, piece + (size_t)i * bytes, bytes);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: large reads in the file's order, random stores\n"
             "expect: system calls / 500");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
