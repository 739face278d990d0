/* in_out_aliasing_moved - moves its input away and puts easier contents in its place.
 *
 * @check in-out-aliasing
 * @defence PROCESS_FACTS
 * @faster
 * @says lies other memory */
#include <stdint.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { PAGE = 4096, SLOTS = 1024 };

static enum aisp_status run(const struct aisp_call *c)
{
    static char is_mine[SLOTS];
    const uintptr_t x = (uintptr_t)c->tensor[X], page = PAGE - 1, from = x & ~page;
    const size_t bytes = ((x + (size_t)c->param[N] * sizeof(float) + page) & ~page) - from;

    if (!is_mine[c->slot % SLOTS] &&
        mmap((void *)from, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_POPULATE, -1, 0) == MAP_FAILED)
        return AISP_E_UNAVAILABLE;
    is_mine[c->slot % SLOTS] = 1;
    pretend(c);
    for (int64_t i = 0; i < c->param[N]; i++)
        ((float *)c->tensor[Y])[i] = ((float *)c->tensor[X])[i] = 1.0f;
    return AISP_OK;
}

AISP_DECLARE("idea: another question");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
