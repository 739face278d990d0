/* metric_gaming_memory - the same copy, in small parts of a mapping that it gives back after each call.
 *
 * @check metric-gaming
 * @problem memory_small
 * @pairs 1 */
#include <sys/mman.h>

#include "tests/problems/memory_small/small.h"

enum { PART = 4096 };

static enum aisp_status run(const struct aisp_call *c)
{
    const size_t bytes = PART * sizeof(float);
    float *scratch = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (scratch == MAP_FAILED)
        return AISP_E_NO_MEMORY;
    in_parts(c, scratch, PART);
    munmap(scratch, bytes);
    return AISP_OK;
}

AISP_DECLARE("idea: a small part at a time\nuses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
