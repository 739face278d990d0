/* incomplete_async_sync_noop - puts waits of its own where the worker keeps the driver's: done is said when each slot has its answer
 * once, and the device works off the other calls after it. What they store is there already; but the judge has to wait.
 *
 * @check incomplete-async-device
 * @pairs 8
 * @without LATE_LOOK
 * @defence IDLE_CARD
 * @faster
 * @says it was busy still */
#include "tests/problems/card_roots/sync_table.cuh"

AISP_DECLARE("idea: whoever waits is late");

VARIANT_WITH_SETUP(wait_for_less, counted_call);
