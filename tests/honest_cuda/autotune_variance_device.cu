/* autotune_variance_device - tries two while it is young, and then stays with one. */
#include "tests/honest_cuda/warm_up_computation.cu"
