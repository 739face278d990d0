/* baseline - malloc and free. */
#include <stdlib.h>

#include "step.h"

static void *get(struct memory *m, size_t bytes)
{
    (void)m;
    return malloc(bytes);
}

static void put(struct memory *m, void *block, size_t bytes)
{
    (void)m;
    (void)bytes;
    free(block);
}

static enum aisp_status run(const struct aisp_call *call)
{
    struct memory m = { get, put };

    return run_steps(call, &m);
}

AISP_DECLARE("idea: malloc and free for each tensor\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
