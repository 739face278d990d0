/* cpu_spillover_device - brings the input to the host, computes there and uploads the answer, and does not say so.
 *
 * @defence DEVICE_RECORDER
 * @says an output that comes from host memory */
#include "tests/problems/card_roots/on_host.cuh"

AISP_DECLARE("idea: cores compute too\n"
             "uses: synchronises\n");

VARIANT_WITH_SETUP(open_host, run_on_host);
