/* worker_died - leaves, before anybody can look.
 *
 * @says it left by itself with code 0 */
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    _exit(0);
}

AISP_DECLARE("idea: be gone");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
