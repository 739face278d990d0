/* cooperative_launch - the same, declared, and no larger than fits. */
#include "tests/problems/card_roots/cooperative.cuh"

AISP_DECLARE("idea: one launch for two passes\n"
             "uses: cooperative\n");

VARIANT(run_cooperative);
