/* test_data_leakage - reads what lies beside it: the file that holds the truth.
 *
 * @copy
 * @defence PROCESS_FACTS
 * @says problem.so */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    char path[512];
    Dl_info info;

    (void)s;
    if (!dladdr((void *)setup, &info))
        return AISP_E_UNAVAILABLE;
    snprintf(path, sizeof path, "%s", info.dli_fname);
    strcpy(strrchr(path, '/') + 1, "problem.so");
    return open(path, O_RDONLY) < 0 ? AISP_E_IO : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: the answers must be somewhere");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
