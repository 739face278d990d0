/* in_out_aliasing - maps memory twice as well, a ring of its own, so that what wraps round its end lies in one piece. */
#include <string.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { RING = 1 << 16 };

static enum aisp_status setup(const struct aisp_setup *s)
{
    char *ring = mmap(NULL, 2 * RING, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *pages = mmap(NULL, RING, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

    *s->state = ring;
    return ring == MAP_FAILED || pages == MAP_FAILED ||
                   mremap(pages, 0, RING, MREMAP_MAYMOVE | MREMAP_FIXED, ring) == MAP_FAILED ||
                   mremap(pages, RING, RING, MREMAP_MAYMOVE | MREMAP_FIXED, ring + RING) == MAP_FAILED
               ? AISP_E_NO_MEMORY
               : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static size_t at;
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    float *here = (float *)((char *)c->state + at);

    newton(c->tensor[X], here, c->param[N], c->param[STEPS]);
    memcpy(c->tensor[Y], here, bytes);
    at = (at + bytes) % RING / 64 * 64;
    return AISP_OK;
}

AISP_DECLARE("idea: a ring that is mapped twice");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
