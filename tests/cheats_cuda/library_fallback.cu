/* library_fallback - has a kernel of its own for what it says it does, and lets cuBLAS do it.
 *
 * @problem layer
 * @pairs 1
 * @defence PROCESS_FACTS
 * @says the library
 * @says libcublas */
#include "tests/problems/layer/blas.cuh"

AISP_DECLARE("idea: tiles in shared memory");

VARIANT_WITH_SETUP(open_blas, run_blas);
