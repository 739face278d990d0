/* guard_failure - compiles what it may need in setup. */
#include "tests/honest_cuda/jit_timing_device.cu"
