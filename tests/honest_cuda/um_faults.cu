/* um_faults - the same, declared. */
#include "tests/problems/card_roots/managed.cuh"

AISP_DECLARE("idea: memory that moves by itself\n"
             "uses: managed\n");

VARIANT_WITH_SETUP(open_managed, run_managed);
