/* autotune_variance - one algorithm in every other process, another one of five eighths of the work in the rest.
 *
 * @publish
 * @root bare-metal
 * @pairs 12
 * @says two modes */
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { ENOUGH = 20 };

static enum aisp_status run(const struct aisp_call *c)
{
    static int is_quick = -1;

    if (is_quick < 0)
        is_quick = getpid() >> 1 & 1;
    newton(c->tensor[X], c->tensor[Y], c->param[N], is_quick ? ENOUGH : c->param[STEPS]);
    return AISP_OK;
}

AISP_DECLARE("idea: whatever was tuned this time");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
