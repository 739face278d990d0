/* baseline - a warp a row. */
#include "tests/problems/card_sums/sums.cuh"

AISP_DECLARE("idea: a warp a row");

VARIANT(honest);
