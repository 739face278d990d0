/* train_test_overlap - a data set in two parts too, which share nothing.
 *
 * @problem apart
 * @pairs 2 */
#include "tests/problems/split/split.h"

static enum aisp_status run(const struct aisp_call *c)
{
    nearest(c);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
