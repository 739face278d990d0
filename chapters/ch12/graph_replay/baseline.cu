/* baseline - a launch for each step, in each call. */
#include "steps.cuh"

static void teardown(void *state)
{
    if (state)
        program_release((struct program *)state);
    free(state);
}

static enum aisp_status setup(const struct aisp_setup *setup)
{
    struct program *p = (struct program *)calloc(1, sizeof *p);

    *setup->state = p;
    return p ? program_init(p, setup) : AISP_E_NO_MEMORY;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return launch_program((const struct program *)call->state, aisp_stream(call), (const float *)call->tensor[X],
                          (float *)call->tensor[Y], (float *)call->workspace, 0);
}

AISP_DECLARE("idea: a launch for each step");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = scratch_bytes, .setup = setup, .run = run, .teardown = teardown };
