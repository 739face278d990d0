/* optimized_clusters - two blocks share b: each loads half of a slice of it into the shared memory of both.
 * Why: 32 instead of 48 KiB from L2 for a slice of a block, two thirds. At 8192^3 the tensor pipe is limited by the card's
 *   power, so bytes that do not travel become clock.
 * Measured on an H100 SXM, forms by turns in one process, sustained and after rest, of cuBLASLt's best of 32: 8192^3 1.05 and 1.02
 *   (727 TFLOP/s at 697 W), 4096^3 0.98 and 1.03; without the turning back of every other tile 0.99 and 1.00, 0.99 and 1.02. Runs
 *   differ by 2 to 3 %. A remote arrival that releases at the cluster's scope would put a full fence between the products of two
 *   slices: 0.69 (barrier_arrive_at in hopper.cuh).
 * Costs: blocks of a pair go in step; a card whose number of SMs in a GPC is odd loses one.
 * The kernel is in specialized.cuh. */
#include "specialized.cuh"

AISP_DECLARE("idea: clusters of two blocks, each loads half of b for both by multicast\n"
             "expect: bytes from L2 / 1.5\n"
             "uses: stable-pointers");

AISP_VARIANT = { AISP_ABI, NULL, specialized_setup<2>, specialized_run<2>, hopper_free };
