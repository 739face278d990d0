/* persistent_kernel - its kernels stay on the card as long as a call has work, and end with it. */
#include "tests/honest_cuda/worker_died.cu"
