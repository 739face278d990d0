/* dynamic_parallelism - the same, declared.
 *
 * @flags -rdc=true */
#include "tests/problems/card_roots/nested.cuh"

AISP_DECLARE("idea: a kernel that launches\n"
             "uses: device-launch\n");

VARIANT(run_nested);
