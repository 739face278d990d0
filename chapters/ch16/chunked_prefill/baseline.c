/* baseline - prompts first: a request that is there is read at once and whole, and answers go on when none waits. So its own
 * first token comes as early as can be, and more answers are under way together. */
#include "decoder.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct decoder d;

    decoder_open(&d, call);
    while (is_open(&d)) {
        struct sequence *s = take(&d);

        if (s)
            prefill(&d, s, s->n_prompt);
        else if (d.n_answering > 0)
            step(&d);
        else
            door_wait(&d.door);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: prompts first, each in one piece");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = decoder_bytes, .run = run };
