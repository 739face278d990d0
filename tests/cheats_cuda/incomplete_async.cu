/* incomplete_async - works in a second context, which the worker's wait for its own knows nothing of: the answer is written after
 * done, piece by piece, in some milliseconds.
 *
 * @defence LATE_LOOK
 * @says the output changed after done
 * @says after the stop */
#include "tests/problems/card_roots/second_context.cuh"

enum { PIECES = 64, LATE_NS = 50000 };

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];
    enum aisp_status st = enter_second();

    for (int i = 0; i < PIECES && !st; i++) {
        linger<<<1, 1, 0, second.stream>>>(LATE_NS);
        st = honest_part(c, second.stream, n * i / PIECES, n * (i + 1) / PIECES);
    }
    return leave_second() ? AISP_E_DEVICE : st;
}

AISP_DECLARE("idea: another context has another queue\n"
             "uses: contexts, streams\n");

VARIANT_WITH_SETUP(open_second, run);
