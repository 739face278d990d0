/* memory_limit - takes memory as well, as much as it needs, and gives it back.
 *
 * @pairs 2 */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    *s->state = malloc(64 << 20);
    if (!*s->state)
        return AISP_E_NO_MEMORY;
    memset(*s->state, 1, 64 << 20);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: some room\n"
             "uses: allocates\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = free };
