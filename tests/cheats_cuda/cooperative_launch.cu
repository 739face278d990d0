/* cooperative_launch - takes the whole card at once, and does not say so.
 *
 * @defence DEVICE_RECORDER
 * @says was not declared (uses: cooperative) */
#include "tests/problems/card_roots/cooperative.cuh"

AISP_DECLARE("idea: one launch for two passes");

VARIANT(run_cooperative);
