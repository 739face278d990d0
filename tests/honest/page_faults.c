/* page_faults - gives its scratch back in each call as well, and says so: allocation is its lesson.
 *
 * @side A
 * @pairs 2 */
#include <string.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { PAGE = 4096, PAGES = 16 };

static enum aisp_status setup(const struct aisp_setup *s)
{
    *s->state = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return *s->state == MAP_FAILED ? AISP_E_NO_MEMORY : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    char *scratch = c->state;

    if (madvise(scratch, PAGES * PAGE, MADV_DONTNEED))
        return AISP_E_UNAVAILABLE;
    for (int i = 0; i < PAGES; i++)
        scratch[i * PAGE] = 1;
    newton(c->tensor[X], c->state, c->param[N], c->param[STEPS]);
    memcpy(c->tensor[Y], scratch, (size_t)c->param[N] * sizeof(float));
    return AISP_OK;
}

AISP_DECLARE("idea: what giving memory back costs\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
