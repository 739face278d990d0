/* stale_cache_trace - keeps the tokens of its first trace and emits them again for every later one.
 *
 * @check stale-cache
 * @problem serve_tiny
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @says right answer to earlier contents */
#include "tests/problems/serve_tiny/tiny.h"

static struct {
    int32_t n, token[MOST_TOKENS];
} kept[MOST_REQUESTS];

static void compute(const struct aisp_call *c, int32_t r)
{
    struct stream s;

    begin(c, &s, r);
    kept[r].n = 0;
    do {
        if (s.next)
            step(c, s.h, s.last);
        s.last = choose(c, s.h);
        kept[r].token[kept[r].n++] = s.last;
    } while (++s.next < s.n_tokens);
}

static enum aisp_status run(const struct aisp_call *c)
{
    for (int32_t r = 0; r < c->param[REQUESTS]; r++) {
        await(c, r);
        if (!kept[r].n)
            compute(c, r);
        for (int32_t i = 0; i <= request_of(c, r)[1] % c->param[TOKENS]; i++)
            aisp_emit(c->tensor[EMISSIONS], r, i, kept[r].token[i < kept[r].n ? i : 0]);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: remember the answers");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
