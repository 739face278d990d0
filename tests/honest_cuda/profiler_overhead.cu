/* profiler_overhead - a variable that the driver reads is set, and it injects nothing.
 *
 * @env CUDA_DEVICE_MAX_CONNECTIONS=8 */
#include "tests/problems/card_roots/roots.cuh"

AISP_DECLARE("idea: Newton's steps");

VARIANT(honest);
