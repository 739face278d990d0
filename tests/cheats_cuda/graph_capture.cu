/* graph_capture - replays a graph of a kernel for each slot, which is honest, and does not say so.
 *
 * @defence DEVICE_RECORDER
 * @says was not declared (uses: graph) */
#define WITHOUT_DECLARATION
#include "tests/honest_cuda/stale_cache.cu"

AISP_DECLARE("idea: a graph for each slot, made once");
