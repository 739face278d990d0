/* um_faults - keeps its intermediate result in managed memory, and does not say so.
 *
 * @defence DEVICE_RECORDER
 * @says was not declared (uses: managed) */
#include "tests/problems/card_roots/managed.cuh"

AISP_DECLARE("idea: memory that moves by itself");

VARIANT_WITH_SETUP(open_managed, run_managed);
