/* half_cold_cache - an honest variant, by a harness that empties a part of the cache only: the contents that it has just made lie there
 * still when the window begins.
 *
 * @problem card_sums
 * @pairs 2
 * @without COLD_CACHE
 * @defence COLD_LOOK
 * @says lay in the device's cache before */
#include "tests/problems/card_sums/sums.cuh"

AISP_DECLARE("idea: a warp a row");

VARIANT(honest);
