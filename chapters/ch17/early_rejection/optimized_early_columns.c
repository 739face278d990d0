/* optimized_early_columns - early rejection, and a product with a matrix goes by columns: y += W[:, j] x[j], eight rows at a
 * time.
 * Expected: a row's dot product waits 4 cycles for each addition and takes one number at a time; by columns eight rows and
 * two sums each are under way: 5x and more for what is not attention, 2x in all over optimized_early.
 * Costs: AVX2 with FMA; the matrices turned once in setup, their rows padded to whole vectors. */
#include "columns.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int fast = has_avx2();
    struct server s;

    server_open(&s, call);
    for (int64_t i = 0; i < call->param[REQUESTS]; i++) {
        const int64_t r = s.ask[i].request;

        if (!takes_place(&s, &s.ask[i]))
            refuse(&s, r);
        else if (fast)
            serve_columns(&s, r, attend);
        else {
            prefill(&s, r);
            decode(&s, r);
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: matrices by columns, so that no addition waits for the one before\n"
             "expect: cycles / 2 of optimized_early\n"
             "uses: allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = server_bytes, .setup = columns_setup, .run = run, .teardown = columns_teardown,
};
