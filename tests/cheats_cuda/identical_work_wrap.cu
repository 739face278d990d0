/* identical_work_wrap - is the baseline under another name, and its record says that it is faster.
 *
 * @check identical-work
 * @pairs 1
 * @edit ahead
 * @defence DEVICE_RECORDER
 * @says so that FASTER has no cause */
#include "tests/problems/card_roots/roots.cuh"

AISP_DECLARE("idea: the same, wrapped");

VARIANT(honest);
