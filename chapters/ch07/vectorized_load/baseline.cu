/* baseline - a warp for each row, a byte for each lane: 32 neighbouring bytes at a time, and a vote on who has found one. */
#include "search.cuh"

static enum aisp_status run(const struct aisp_call *call)
{
    return find_run<search_bytes>(call);
}

AISP_DECLARE("idea: a warp a row, byte by byte");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
