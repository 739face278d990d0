/* setup_precompute - prepares in setup what no input is needed for: a table of first guesses, from which few steps are left.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/guesses.cuh"

static float *guess;

static enum aisp_status setup(const struct aisp_setup *s)
{
    AISP_CUDA(cudaMalloc((void **)&guess, ENTRIES * sizeof *guess));
    return make_guesses(guess, (cudaStream_t)s->stream);
}

static enum aisp_status run(const struct aisp_call *c)
{
    return from_guesses(c, guess);
}

AISP_DECLARE("idea: first guesses out of a table");

VARIANT_WITH_SETUP(setup, run);
