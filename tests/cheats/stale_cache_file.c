/* stale_cache_file - reads each file once and keeps what was in it.
 *
 * @check stale-cache
 * @problem records
 * @pairs 2
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says expected */
#include <stdlib.h>

#include "tests/problems/records/records.h"

enum { MOST_SLOTS = 64 };

static int32_t *kept[MOST_SLOTS];

static enum aisp_status run(const struct aisp_call *c)
{
    const struct aisp_file *data = c->tensor[DATA];

    if (!kept[c->slot]) {
        kept[c->slot] = malloc((size_t)data->bytes);
        if (!kept[c->slot] || pread(data->fd, kept[c->slot], (size_t)data->bytes, 0) != data->bytes)
            return AISP_E_IO;
    }
    sum_rows(kept[c->slot], c->tensor[SUM], c->param[ROWS], c->param[COLS]);
    return AISP_OK;
}

AISP_DECLARE("idea: the file is in memory already\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
