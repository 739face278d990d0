/* profiler_overhead - an honest variant on a card, by a supervisor that tells the driver to load a profiler into everything.
 *
 * @env CUDA_INJECTION64_PATH=/opt/profiler/libtrace.so
 * @says CUDA_INJECTION64_PATH is set */
#include "tests/problems/card_roots/roots.cuh"

AISP_DECLARE("idea: Newton's steps");

VARIANT(honest);
