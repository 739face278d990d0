/* fragmentation - its heap has holes too, and its calls ask for memory, which they give back.
 *
 * @pairs 1 */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { BLOCKS = 512, HOLE = 2048 };

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
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    float *scratch = malloc(bytes);

    if (!scratch)
        return AISP_E_NO_MEMORY;
    newton(c->tensor[X], scratch, c->param[N], c->param[STEPS]);
    memcpy(c->tensor[Y], scratch, bytes);
    free(scratch);
    return AISP_OK;
}

AISP_DECLARE("idea: a scratch for each call");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
