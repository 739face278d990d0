/* overcommit - reserves as many addresses, makes none of them writable but what it uses, and uses
 * that.
 *
 * @pairs 1 */
#include <string.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { RESERVED = 384 << 20, USED = 4 << 20 };

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *much = mmap(NULL, RESERVED, PROT_NONE, flags, -1, 0);

    (void)s;
    if (much == MAP_FAILED || mprotect(much, USED, PROT_READ | PROT_WRITE))
        return AISP_E_NO_MEMORY;
    memset(much, 1, USED);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: room to grow\n"
             "uses: allocates\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
