/* sparsity_mismatch_device - multiplies by instructions for sparse matrices, so that the answer is right, and does not say that they
 * are.
 *
 * @problem card_layer
 * @defence DEVICE_RECORDER
 * @says an instruction for sparse matrices was not declared */
#define WITHOUT_DECLARATION
#include "tests/honest_cuda/sparsity_mismatch_device.cu"

AISP_DECLARE("idea: matrix units, twice\n"
             "uses: f16\n");
