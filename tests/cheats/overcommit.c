/* overcommit - claims 384 MiB to have shown that they are there, and touches a page of them.
 *
 * @says claims */
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *much = mmap(NULL, 384 << 20, PROT_READ | PROT_WRITE, flags, -1, 0);

    (void)s;
    if (much == MAP_FAILED)
        return AISP_E_NO_MEMORY;
    *much = 1;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a cache of 384 MiB fits\n"
             "uses: allocates\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
