/* profiler_overhead_preload - an honest variant on a card, with a library put before all others.
 *
 * @check profiler-overhead
 * @env LD_PRELOAD=/opt/profiler/libtrace.so
 * @says LD_PRELOAD is */
#include "tests/problems/card_roots/roots.cuh"

AISP_DECLARE("idea: Newton's steps");

VARIANT(honest);
