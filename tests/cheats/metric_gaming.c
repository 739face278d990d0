/* metric_gaming - emits a guess as the first token of every request before it has come: to its user the first word was there at
 * once.
 *
 * @problem serve_tiny
 * @defence EMISSION_RULES
 * @says before its request was there */
#include "tests/problems/serve_tiny/tiny.h"

static enum aisp_status run(const struct aisp_call *c)
{
    struct stream s;

    for (int32_t r = 0; r < c->param[REQUESTS]; r++)
        aisp_emit(c->tensor[EMISSIONS], r, 0, 7);
    for (int32_t r = 0; r < c->param[REQUESTS]; r++) {
        await(c, r);
        begin(c, &s, r);
        s.last = choose(c, s.h);
        s.next = 1;
        while (s.next < s.n_tokens && advance(c, &s))
            ;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: guess the first token");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
