/* refused - uses all that the interface has: a workspace, a state, setup and teardown.
 *
 * @pairs 2 */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[N] * sizeof(float);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    int64_t *state = malloc(sizeof *state);

    if (!state || !s->workspace)
        return AISP_E_NO_MEMORY;
    *state = s->param[N];
    *s->state = state;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = *(const int64_t *)c->state;

    newton(c->tensor[X], c->workspace, n, c->param[STEPS]);
    memcpy(c->tensor[Y], c->workspace, (size_t)n * sizeof(float));
    return AISP_OK;
}

AISP_DECLARE("idea: by way of a workspace");

AISP_VARIANT = { .abi = AISP_ABI,
                 .workspace_bytes = workspace_bytes,
                 .setup = setup,
                 .run = run,
                 .teardown = free };
