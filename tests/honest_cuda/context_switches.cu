/* context_switches - a second context, declared, made in setup. */
#include "tests/honest_cuda/incomplete_async.cu"
