/* incomplete_async - works in a second context as well, which it declares, and waits for it.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/second_context.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    enum aisp_status st = enter_second();

    if (!st)
        st = honest_part(c, second.stream, 0, c->param[N]);
    if (!st && cudaStreamSynchronize(second.stream))
        st = AISP_E_DEVICE;
    return leave_second() ? AISP_E_DEVICE : st;
}

#ifndef WITHOUT_DECLARATION
AISP_DECLARE("idea: another context, waited for\n"
             "uses: contexts, streams, synchronises\n");
#endif

VARIANT_WITH_SETUP(open_second, run);
