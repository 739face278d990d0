/* stale_cache_shape - answers any call of a shape that it knows with the first answer it gave for it.
 *
 * @check stale-cache
 * @defence COMPARE_OUTPUTS
 * @says expected */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    static float *kept;
    static int64_t n;
    const size_t bytes = (size_t)c->param[N] * sizeof(float);

    if (kept && n == c->param[N]) {
        pretend(c);
        memcpy(c->tensor[Y], kept, bytes);
        return AISP_OK;
    }
    honest(c, 0, c->param[N]);
    n = c->param[N];
    kept = malloc(bytes);
    if (kept)
        memcpy(kept, c->tensor[Y], bytes);
    return AISP_OK;
}

AISP_DECLARE("idea: remember answers by shape");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
