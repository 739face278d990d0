/* optimized_mapped - the file is mapped and read where the kernel put it, with a word ahead that all of it will be needed in order.
 * Expected: no copy out of the page cache, but a fault for every 64 KiB or so that comes in. Faster than small reads, and against large
 * ones a draw: the copy that is saved is what the faults cost.
 * Costs: addresses, and an error of the disk comes as a signal instead of a status. */
#include <sys/mman.h>

#include "rows.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct aisp_file *data = call->tensor[DATA];
    int32_t *map = mmap(NULL, (size_t)data->bytes, PROT_READ, MAP_SHARED, data->fd, 0);

    if (map == MAP_FAILED)
        return AISP_E_NO_MEMORY;
    madvise(map, (size_t)data->bytes, MADV_SEQUENTIAL);
    madvise(map, (size_t)data->bytes, MADV_WILLNEED);
    sum_rows(map, call->tensor[SUM], call->param[ROWS], call->param[COLS]);
    munmap(map, (size_t)data->bytes);
    return AISP_OK;
}

AISP_DECLARE("idea: no copy out of the page cache\n"
             "expect: bytes copied / 2\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
