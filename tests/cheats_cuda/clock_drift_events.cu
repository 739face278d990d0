/* clock_drift_events - computes as the baseline does, and makes the events tell half of the time by a function of its own.
 *
 * @check clock-drift
 * @pairs 4
 * @without DEVICE_RECORDER
 * @defence CLOCKS_AGREE
 * @ratio 0.7 1.4
 * @says clocks disagree
 * @says The printed time is the supervisor's */
#include "tests/problems/card_roots/events_table.cuh"

AISP_DECLARE("idea: slower clocks");

VARIANT_WITH_SETUP(slow_the_events_down, honest);
