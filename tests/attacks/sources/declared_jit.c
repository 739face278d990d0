/* New code, by a declaration that a stranger may not make use of.
 * @reason forbidden-call */
#include <aisp/variant.h>
#include <sys/mman.h>

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    if (mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        return AISP_E_IO;

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack\nuses: jit, library");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
