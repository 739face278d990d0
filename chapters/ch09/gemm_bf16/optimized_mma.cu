/* optimized_mma - tensor cores, warp by warp: fragments by ldmatrix from a ring of tiles that cp.async fills, mma.sync
 * m16n8k16.
 * Why: 64 times the baseline's flops an instruction (4096 against 64 of a warp's multiply-add), and 32 of them for 8
 *   ldmatrix, so that the tensor pipe limits instead of loads from shared memory.
 * Measured on an H100 SXM at 4096^3: 464 us, 296 TFLOP/s, 0.44 of cuBLASLt's speed; wgmma gets 2.1 times as much from the
 *   same card.
 * Costs: fragments' layouts and permuted shared memory have to be known by heart.
 * The kernel is in mma_tiles.cuh. */
#include "mma_tiles.cuh"

static enum aisp_status setup(const struct aisp_setup *setup)
{
    (void)setup;
    return mma_setup();
}

AISP_DECLARE("idea: mma.sync on register fragments, tiles by cp.async through a ring of three stages in shared memory\n"
             "expect: flops an instruction * 64");

AISP_VARIANT = { AISP_ABI, NULL, setup, mma_run, NULL };
