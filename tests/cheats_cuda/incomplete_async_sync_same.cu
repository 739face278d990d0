/* incomplete_async_sync_same - says done as incomplete_async_sync_noop does; what its late calls store is what was there, but for the
 * word that the judge has overwritten meanwhile.
 *
 * @check incomplete-async
 * @pairs 8
 * @without IDLE_CARD
 * @defence LATE_LOOK
 * @faster
 * @says the output changed after done */
#include "tests/problems/card_roots/sync_table.cuh"

AISP_DECLARE("idea: whoever waits is late");

VARIANT_WITH_SETUP(wait_for_less, counted_call);
