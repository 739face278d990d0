/* dynamic_parallelism - launches from the device, and does not say so.
 *
 * @flags -rdc=true
 * @defence DEVICE_RECORDER
 * @says was not declared (uses: device-launch) */
#include "tests/problems/card_roots/nested.cuh"

AISP_DECLARE("idea: a kernel that launches");

VARIANT(run_nested);
