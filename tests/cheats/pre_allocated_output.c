/* pre_allocated_output - puts memory of its own where an output lies, and keeps its result there.
 *
 * @defence PROCESS_FACTS
 * @faster
 * @says memory of its own */
#include <stdint.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { SLOTS = 1024, PAGE = 4096 };

static enum aisp_status run(const struct aisp_call *c)
{
    static char is_mine[SLOTS];
    const uintptr_t y = (uintptr_t)c->tensor[Y], page = PAGE - 1;
    const uintptr_t from = y & ~page, to = (y + (size_t)c->param[N] * sizeof(float) + page) & ~page;

    if (!is_mine[c->slot % SLOTS]++ &&
        mmap((void *)from, to - from, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0) == MAP_FAILED)
        return AISP_E_UNAVAILABLE;
    is_mine[c->slot % SLOTS] = 1;
    pretend(c);
    return AISP_OK;
}

AISP_DECLARE("idea: an output of its own");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
