/* optimized_warp_specialized - one warpgroup copies and two multiply, and blocks stay: nobody waits for all.
 * In optimized_wgmma the tensor pipe drains at each __syncthreads, and at the end of each tile, when results leave and the
 * ring is empty. Here the producer runs up to four slices ahead, over the ends of tiles too, and results leave through the
 * copy engine while the next tile is under way. Tiles are walked in groups of 2048 rows, so that what runs at once is nearly
 * square in c and its operands stay in L2.
 * Measured on an H100 SXM: 1656 us at 8192^3, 664 TFLOP/s, 1.03 times optimized_wgmma and 0.98 of cuBLASLt's speed; at
 *   4096^3 211 us, 1.05 times and 0.96. The fastest twentieth of the calls takes 1448 and 178 us
 *   (cuBLASLt: 1391 and 178): under sustained load clocks fall, and energy counts as well as cycles.
 * Costs: three roles and two sets of barriers; a card's last tiles are uneven (2048 tiles on 132 SMs: 97 % of 16 rounds).
 * The kernel is in specialized.cuh. */
#include "specialized.cuh"

AISP_DECLARE(
    "idea: a warpgroup that only copies, two that only multiply, on blocks that stay; results leave through the copy engine\n"
    "expect: tensor pipe active / 0.9\n"
    "uses: stable-pointers");

AISP_VARIANT = { AISP_ABI, NULL, specialized_setup<1>, specialized_run<1>, hopper_free };
