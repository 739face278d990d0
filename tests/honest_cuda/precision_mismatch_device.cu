/* precision_mismatch_device - the same, declared.
 *
 * @problem layer */
#include "tests/honest_cuda/precision_mismatch.cu"
