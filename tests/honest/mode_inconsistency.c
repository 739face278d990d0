/* mode_inconsistency - has two paths by the number of the call as well, both of which compute what is asked.
 *
 * @pairs 1 */
#include "tests/problems/rsqrt/rsqrt.h"

enum { FIRST_CALLS = 100 };

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;
    const int64_t half = c->param[N] / 2;

    if (n_calls < FIRST_CALLS) {
        n_calls++;
        honest(c, 0, c->param[N]);
        return AISP_OK;
    }
    honest(c, half, c->param[N]);
    honest(c, 0, half);
    return AISP_OK;
}

AISP_DECLARE("idea: one path while it is cold, another later");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
