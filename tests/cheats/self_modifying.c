/* self_modifying - appends to its own file, on a host that has no cage for it.
 *
 * @without CONFINEMENT
 * @copy
 * @says its file changed during the run */
#include <dlfcn.h>
#include <stdio.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    Dl_info info;
    FILE *file;

    (void)s;
    if (!dladdr((void *)setup, &info) || !(file = fopen(info.dli_fname, "a")))
        return AISP_E_IO;
    fputs("faster", file);
    return fclose(file) ? AISP_E_IO : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: be another one later");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
