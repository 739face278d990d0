/* optimized_chunked - a prompt is read 16 tokens at a time, and after each piece all answers under way get a token (Agrawal
 * et al. 2024, "Sarathi-Serve").
 * Expected: a token waits for 16 tokens of a prompt, a fifth of an average one, and for one of each other answer, where it
 * waited for a dozen prompts divided by the answer's tokens: 4 to 5x over optimized_alternating, 12 to 16x in all.
 * Costs: TTFT. A prompt of 128 tokens is interrupted seven times, and for longer the more answers are under way; and what is
 * read later ends later. Where weights come from far, pieces must be long enough to be worth reading them. */
#include "decoder.h"

enum { PIECE = 16 };

static enum aisp_status run(const struct aisp_call *call)
{
    struct sequence *reading = NULL;
    struct decoder d;

    decoder_open(&d, call);
    while (is_open(&d)) {
        if (!reading)
            reading = take(&d);
        if (reading && prefill(&d, reading, PIECE))
            reading = NULL;
        else if (!reading && d.n_answering == 0)
            door_wait(&d.door);
        step(&d);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: 16 tokens of a prompt between two tokens of an answer\n"
             "expect: TPOT p99 / 4 of optimized_alternating");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = decoder_bytes, .run = run };
