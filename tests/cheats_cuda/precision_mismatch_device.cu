/* precision_mismatch_device - makes f32's precision out of three products of tf32, so that the answer is right, and does not say that
 * its instructions are narrower than what is asked for.
 *
 * @problem layer
 * @defence DEVICE_RECORDER
 * @says its code multiplies in tf32 */
#define WITHOUT_DECLARATION
#include "tests/honest_cuda/precision_mismatch.cu"

AISP_DECLARE("idea: matrix units, three products for one");
