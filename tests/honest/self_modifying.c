/* self_modifying - reads its own file, where it could write it, and leaves it as it is.
 *
 * @without CONFINEMENT
 * @copy */
#include <dlfcn.h>
#include <stdio.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    char magic[4] = "";
    Dl_info info;
    FILE *file;

    (void)s;
    if (!dladdr((void *)setup, &info) || !(file = fopen(info.dli_fname, "r")))
        return AISP_E_IO;
    if (fread(magic, sizeof magic, 1, file) != 1)
        magic[1] = 0;
    fclose(file);
    return magic[1] == 'E' ? AISP_OK : AISP_E_IO;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: know itself");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
