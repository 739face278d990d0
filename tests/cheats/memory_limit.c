/* memory_limit - takes memory until there is none.
 *
 * @defence CONFINEMENT
 * @also overcommit
 * @says beyond its memory limit */
#include <stdlib.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512, LEAST = 1 << 20 };

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

    size_t bytes = (size_t)1 << 30;

    (void)s;
    for (int i = 0; i < MOST && bytes > LEAST; i++)
        if (mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED)
            bytes /= 2;
    if (bytes <= LEAST)
        abort();
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: all memory of the machine");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
