/* gc - the reference takes a heap in every call and gives it back to the system.
 *
 * @side A
 * @pairs 2
 * @also page-faults
 * @says memory is given back and taken anew inside its windows */
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

AISP_DECLARE("idea: clean up at once");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
