/* workspace_precompute - makes a table of first guesses in its first call, keeps it in the workspace, and takes the few steps that
 * are left. Who finds another's bytes in the workspace is wrong.
 *
 * @needs COMPARE_OUTPUTS
 * @defence DEVICE_RECORDER
 * @says where the workspace was poisoned before */
#include "tests/problems/card_roots/guesses.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    static bool is_made;

    if (!is_made && make_guesses((float *)c->workspace, aisp_stream(c)))
        return AISP_E_DEVICE;
    is_made = true;
    return from_guesses(c, (const float *)c->workspace);
}

AISP_DECLARE("idea: the table is still there");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = guesses_bytes, .setup = NULL, .run = run, .teardown = NULL };
