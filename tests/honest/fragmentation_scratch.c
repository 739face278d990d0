/* fragmentation_scratch - works in a scratch of its own, and is the first to touch it: the kernel gives its pages in the first call.
 *
 * @check fragmentation
 * @pairs 1 */
#include <stdint.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { SCRATCH_BYTES = 16 << 20, PAGE = 4096 };

static volatile char scratch[SCRATCH_BYTES];

static enum aisp_status run(const struct aisp_call *c)
{
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    static size_t n_touched;

    for (; n_touched < SCRATCH_BYTES; n_touched += PAGE)
        scratch[n_touched] = 1;
    newton(c->tensor[X], (float *)(uintptr_t)scratch, c->param[N], c->param[STEPS]);
    memcpy(c->tensor[Y], (const void *)(uintptr_t)scratch, bytes);
    return AISP_OK;
}

AISP_DECLARE("idea: a scratch that lies in the file");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
