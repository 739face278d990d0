/* unsynced_streams - three declared streams, all joined. */
#include "tests/honest_cuda/clock_drift.cu"
