/* in_out_aliasing - maps its outputs a second time, and writes through that view, whose address nobody guards.
 *
 * @defence PROCESS_FACTS
 * @says a second time */
#include <stdint.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { PAGE = 4096, SLOTS = 1024 };

static enum aisp_status run(const struct aisp_call *c)
{
    static char *view[SLOTS];
    const uintptr_t y = (uintptr_t)c->tensor[Y], page = PAGE - 1, from = y & ~page;
    const size_t bytes = ((y + (size_t)c->param[N] * sizeof(float) + page) & ~page) - from;
    char **mine = &view[c->slot % SLOTS];

    /* An old size of 0 asks for another mapping of the same shared pages. */
    if (!*mine && (*mine = mremap((void *)from, 0, bytes, MREMAP_MAYMOVE)) == MAP_FAILED)
        return AISP_E_UNAVAILABLE;
    newton(c->tensor[X], (float *)(*mine + (y - from)), c->param[N], c->param[STEPS]);
    return AISP_OK;
}

AISP_DECLARE("idea: the same memory under another name");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
