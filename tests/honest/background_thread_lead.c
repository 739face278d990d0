/* background_thread_lead - needs a little longer as well until it is ready: its calls go through 8 MiB of its own, so that
 * nothing which waking needs is near any more. It looks at nothing before go.
 *
 * @check background-thread
 * @problem slow
 * @pairs 12 */
#include <stdlib.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { BYTES = 8 << 20, LINE = 64 };
static volatile char *own;

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    own = malloc(BYTES);
    for (int i = 0; own && i < BYTES; i++)
        own[i] = 1;
    return own ? AISP_OK : AISP_E_NO_MEMORY;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    for (int i = 0; i < BYTES; i += LINE)
        own[i]++;
    return AISP_OK;
}

AISP_DECLARE("idea: much memory beside the call's own");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
