/* optimized_preallocated - room for the longest answer, for each request, once and for all.
 * Expected: no copies but of what is new, and no allocations in a call. What doubling copies is little already, but each of
 * its larger pieces is new to the process, a page fault for 4 KiB; here the pages are those of the call before. 1.2 to 1.7x
 * of doubling; what remains is attention.
 * Costs: memory for `most` tokens of every request. Answers of random length need half of it, and real limits are far
 * beyond what answers use: that is where a pool begins. */
#include "steps.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(2 * param[REQUESTS] * param[MOST] * param[DIM]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t requests = call->param[REQUESTS], most = call->param[MOST], dim = call->param[DIM];

    for (int64_t i = 0; i < most * requests; i++) {
        const int64_t r = i % requests;
        const struct step s = step_of(call, i / requests, r);
        float *k = (float *)call->workspace + 2 * r * most * dim, *v = k + most * dim;

        if (step_is_over(call, s.t, r)) {
            step_nothing(&s);
            continue;
        }
        memcpy(k + s.t * dim, s.k, (size_t)dim * sizeof *k);
        memcpy(v + s.t * dim, s.v, (size_t)dim * sizeof *v);
        step_attend(&s, k, v, s.t + 1);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: room for the longest answer beforehand\n"
             "expect: page faults / 100");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
