/* pool_reuse - takes memory from the driver's pool in every call and gives it back, and does not say so.
 *
 * @defence DEVICE_RECORDER
 * @says was not declared (uses: allocates) */
#include "tests/problems/card_roots/pool.cuh"

AISP_DECLARE("idea: memory when it is needed");

VARIANT(run_pool);
