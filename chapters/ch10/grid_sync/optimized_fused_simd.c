/* optimized_fused_simd - the fused sweeps with eight cells an instruction (AVX2) instead of four.
 * Expected: from the first cache a sweep is bound by its instructions: three loads, two additions and two multiplications
 * for each vector. Twice the cells in each: 1.3 to 1.6x over fused_phases, for the one journey from and to memory stays; and
 * little for the baseline, which waits for memory.
 * Costs: AVX2. */
#include "pieces.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    return pieces_setup(s, __builtin_cpu_supports("avx2") ? sweep_avx2 : sweep, NULL);
}

AISP_DECLARE("idea: eight cells an instruction, now that the cells are near\n"
             "expect: instructions / 2\n"
             "uses: threads");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = pieces_workspace, .setup = setup, .run = pieces_run, .teardown = pieces_teardown,
};
