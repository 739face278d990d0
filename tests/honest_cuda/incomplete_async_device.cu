/* incomplete_async_device - a second context, declared and waited for. */
#include "tests/honest_cuda/incomplete_async.cu"
