/* warmup_bleed - computes in its first calls, which is when it is verified and warmed up, and then leaves the outputs as they are.
 *
 * @pairs 2
 * @defence POISON_OUTPUTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says nothing was written
 * @says right calls earlier */
#include "tests/problems/card_roots/roots.cuh"

enum { EARLY_CALLS = 300 };

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    return n_calls++ < EARLY_CALLS ? honest(c) : pretend(c);
}

AISP_DECLARE("idea: work only while somebody looks");

VARIANT(run);
