/* library_fallback - lets cuBLAS do it as well, and says so.
 *
 * @problem layer
 * @pairs 1 */
#include "tests/problems/layer/blas.cuh"

AISP_DECLARE("idea: what is installed\n"
             "uses: library\n");

VARIANT_WITH_SETUP(open_blas, run_blas);
