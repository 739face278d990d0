/* metric_gaming - emits first tokens as early as they can be known: prompts go before the rest of what is under way, and the
 * streams take turns.
 *
 * @problem serve_tiny
 * @pairs 2 */
#include "tests/problems/serve_tiny/tiny.h"

static enum aisp_status run(const struct aisp_call *c)
{
    static struct stream s[MOST_REQUESTS];
    int32_t n_begun = 0, n = 0;

    while (n_begun < c->param[REQUESTS] || n) {
        if (!n)
            await(c, n_begun);
        while (n_begun < aisp_ring_count(c->tensor[ARRIVALS])) {
            begin(c, &s[n], n_begun++);
            n += advance(c, &s[n]);
        }
        for (int32_t i = 0; i < n && n_begun == aisp_ring_count(c->tensor[ARRIVALS]); i++)
            if (!advance(c, &s[i]))
                s[i--] = s[--n];
    }
    return AISP_OK;
}

AISP_DECLARE("idea: prompts first, then turns");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
