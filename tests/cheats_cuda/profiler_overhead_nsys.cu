/* profiler_overhead_nsys - an honest variant on a card, inside a session of a profiler.
 *
 * @check profiler-overhead
 * @env NSYS_PROFILING_SESSION_ID=4711
 * @says NSYS_PROFILING_SESSION_ID is set */
#include "tests/problems/card_roots/roots.cuh"

AISP_DECLARE("idea: Newton's steps");

VARIANT(honest);
