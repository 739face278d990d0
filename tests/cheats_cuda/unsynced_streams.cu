/* unsynced_streams - launches on a stream of its own that the given one does not wait for, and returns. The window waits all the same,
 * so nothing is gained by it; the record shows what the given stream's stop mark did not wait for.
 *
 * @defence DEVICE_RECORDER
 * @says does not wait for this one */
#include "tests/cheats_cuda/clock_drift.cu"
