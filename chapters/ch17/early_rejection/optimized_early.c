/* optimized_early - whether there will be a place when the prompt is done is asked before it is begun.
 * Expected: nearly three times as many answers are wanted as there are places, and seven of ten requests are refused; their
 * prefill, 48 tokens of 2 dim^2 multiplications each, is over half of all work (decode is 585 steps of 3 dim^2 and attention
 * over 55 keys): 1.9 to 2.3x, the same answers.
 * Costs: lengths must be known ahead, here from the trace; where they are guessed, a wrong guess refuses a request that
 * would have had a place. */
#include "model.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct server s;

    server_open(&s, call);
    for (int64_t i = 0; i < call->param[REQUESTS]; i++) {
        if (!takes_place(&s, &s.ask[i])) {
            refuse(&s, s.ask[i].request);
            continue;
        }
        prefill(&s, s.ask[i].request);
        decode(&s, s.ask[i].request);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a request that will find no place is refused before its prefill\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = server_bytes, .run = run };
