/* worker_died_crash - reads where nothing is.
 *
 * @check worker-died
 * @says SIGSEGV at */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const volatile char *volatile nowhere = (const char *)64;

    honest(c, 0, c->param[N]);
    return *nowhere ? AISP_OK : AISP_E_IO;
}

AISP_DECLARE("idea: fall over");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
