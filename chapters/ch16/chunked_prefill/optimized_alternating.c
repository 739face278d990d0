/* optimized_alternating - after each prompt all answers under way get a token.
 * Expected: in a burst answers wait for one prompt where they waited for all that came with it, so that the worst times
 * between tokens shrink to about a prompt's. A dozen prompts on an answer of four tokens are four a token: 3 to 4x.
 * Costs: the later prompts of a burst are read later, by a step for each before them. */
#include "decoder.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct decoder d;

    decoder_open(&d, call);
    while (is_open(&d)) {
        struct sequence *s = take(&d);

        if (s)
            prefill(&d, s, s->n_prompt);
        else if (d.n_answering == 0)
            door_wait(&d.door);
        step(&d);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a token for every answer between two prompts\n"
             "expect: TPOT p99 / 3");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = decoder_bytes, .run = run };
