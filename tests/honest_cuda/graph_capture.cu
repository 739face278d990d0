/* graph_capture - the same, declared. */
#include "tests/honest_cuda/stale_cache.cu"
