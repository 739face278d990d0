/* self_modifying_reference - writes to the file that holds the truth, on a host that has no cage for it.
 *
 * @check self-modifying
 * @without CONFINEMENT
 * @copy
 * @says holds the truth */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    char path[512];
    Dl_info info;
    FILE *file;

    (void)s;
    if (!dladdr((void *)setup, &info))
        return AISP_E_UNAVAILABLE;
    snprintf(path, sizeof path, "%s", info.dli_fname);
    strcpy(strrchr(path, '/') + 1, "problem.so");
    file = fopen(path, "a");
    if (!file)
        return AISP_E_IO;
    fputs("easier", file);
    return fclose(file) ? AISP_E_IO : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: an easier truth, next time");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
