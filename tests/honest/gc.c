/* gc - does the same, and says so: what an allocation costs is its lesson.
 *
 * @side A
 * @pairs 2 */
#include <malloc.h>
#include <stdlib.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { BYTES = 1 << 20, PAGE = 4096 };

static enum aisp_status run(const struct aisp_call *c)
{
    char *heap = malloc(BYTES);

    if (!heap)
        return AISP_E_NO_MEMORY;
    for (int i = 0; i < BYTES; i += 8 * PAGE)
        ((volatile char *)heap)[i] = 1;
    honest(c, 0, c->param[N]);
    free(heap);
    malloc_trim(0);
    return AISP_OK;
}

AISP_DECLARE("idea: what an allocation costs\n"
             "uses: allocates\n");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
