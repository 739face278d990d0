/* host_callback - the same, declared. */
#include "tests/honest_cuda/incomplete_async_callback.cu"
