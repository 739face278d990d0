/* A second view of its own page of answers, made to show the next page of the same file.
 * @reason forbidden-call */
#include <aisp/variant.h>
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

/* Which page is turned does not matter here: the call is the end. */
static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];
    char *page = (char *)((uintptr_t)y & ~(uintptr_t)(PAGE - 1));
    char *view = mremap(page, 0, PAGE, MREMAP_MAYMOVE);

    if (view != MAP_FAILED)
        remap_file_pages(view, PAGE, 0, 0, 0);

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
