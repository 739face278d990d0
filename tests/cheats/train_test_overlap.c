/* train_test_overlap - rows of the training set are asked about again: the data set is the cheat, the variant has no part in it.
 *
 * @problem split
 * @says training rows are test rows too */
#include "tests/problems/split/split.h"

static enum aisp_status run(const struct aisp_call *c)
{
    nearest(c);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
