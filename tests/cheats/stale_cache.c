/* stale_cache - keeps its answers by the address of the input: right as long as nobody writes new
 * contents there. It takes half of the honest time, so as not to look impossible.
 *
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says slot
 * @says expected */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
static struct {
    const void *at;
    float *answer;
} kept[MOST];

static enum aisp_status run(const struct aisp_call *c)
{
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    int i = 0;

    while (kept[i].at && kept[i].at != c->tensor[X])
        i++;
    if (kept[i].at) {
        pretend(c);
        memcpy(c->tensor[Y], kept[i].answer, bytes);
        return AISP_OK;
    }
    honest(c, 0, c->param[N]);
    kept[i].answer = malloc(bytes);
    memcpy(kept[i].answer, c->tensor[Y], bytes);
    kept[i].at = c->tensor[X];
    return AISP_OK;
}

AISP_DECLARE("idea: remember answers by address");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
