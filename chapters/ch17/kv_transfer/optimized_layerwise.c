/* optimized_layerwise - a layer's keys and values are handed over while the next layer is prefilled.
 * Expected: what was added to prefill and decode is now beside the prefill, but for the last layer: with P, T and D the
 * times of prefill, hand-over and decode, (P + T + D) / (P + T / layers + D). Two megabytes that another core has just
 * written are copied, half of them turned, in a third to a half of what prefill takes; decode takes a quarter of it: 1.25 to
 * 1.5x.
 * Costs: a flag for each layer; two cores that use the memory's bandwidth at the same time. */
#include "ranks.h"

static enum aisp_status run(const struct aisp_call *call)
{
    return hand_over_in_pieces(call, call->param[TOKENS]);
}

AISP_DECLARE("idea: each layer's keys and values beside the prefill of the next\n"
             "expect: time / 1.3");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = ranks_workspace, .run = run };
