/* warm_up_computation - computes more in its first calls as well: each of them with another block size. It keeps the size, not
 * the answers.
 *
 * @pairs 1 */
#include "tests/problems/rsqrt/rsqrt.h"

enum { SIZES = 4, EARLY_CALLS = 200 };

static enum aisp_status run(const struct aisp_call *c)
{
    static const int64_t size[SIZES] = { 64, 128, 256, 512 };
    static int n_calls;
    const int64_t part = size[n_calls < EARLY_CALLS ? n_calls++ % SIZES : SIZES - 1];

    for (int64_t at = 0; at < c->param[N]; at += part)
        honest(c, at, at + part < c->param[N] ? at + part : c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: several block sizes at first, then one");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
