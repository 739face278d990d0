/* unsynced_streams_partial - divides a call over three streams and waits for two of them.
 *
 * @check unsynced-streams
 * @defence DEVICE_RECORDER
 * @says does not wait for this one */
#include "tests/cheats_cuda/clock_drift_partial.cu"
