/* fragmentation - a reference whose heap is all holes after setup, each too small for what its calls ask for: so that the heap
 * grows with each of them, up to a bound.
 *
 * @side A
 * @pairs 1
 * @defence PROCESS_FACTS
 * @says its calls take memory */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { BLOCKS = 512, HOLE = 2048, ASKED = 96 << 10, CALLS = 160 };

static enum aisp_status setup(const struct aisp_setup *s)
{
    void *block[BLOCKS];

    (void)s;
    for (int i = 0; i < BLOCKS; i++)
        if (!(block[i] = malloc(HOLE)))
            return AISP_E_NO_MEMORY;
    for (int i = 0; i < BLOCKS; i += 2)
        free(block[i]);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;
    char *more = n_calls++ < CALLS ? malloc(ASKED) : NULL;

    if (more)
        memset(more, 1, ASKED);
    __asm__ volatile("" : : "r"(more) : "memory");
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a heap of holes");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
