/* compile_cache_hit - finds a kernel beside itself that somebody compiled before, and runs that instead of its own code.
 *
 * @copy
 * @defence PROCESS_FACTS
 * @says runs code out of */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

static const struct aisp_variant *cached;

static enum aisp_status setup(const struct aisp_setup *s)
{
    char path[512];
    Dl_info info;
    void *kernel;

    (void)s;
    if (!dladdr((void *)setup, &info))
        return AISP_E_UNAVAILABLE;
    snprintf(path, sizeof path, "%s", info.dli_fname);
    strcpy(strrchr(path, '/') + 1, "baseline.so");
    kernel = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cached = kernel ? dlsym(kernel, "aisp_variant") : NULL;
    return cached ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *c)
{
    return cached->run(c);
}

AISP_DECLARE("idea: what was compiled before need not be compiled again\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
