/* event_timing_gaps - makes the events tell half of the time: the device's own records say how long it worked.
 *
 * @defence DEVICE_RECORDER
 * @says events */
#include "tests/cheats_cuda/clock_drift_events.cu"
