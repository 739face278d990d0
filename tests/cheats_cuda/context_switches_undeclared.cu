/* context_switches_undeclared - works in a context of its own, waits for it, and does not say so.
 *
 * @check context-switches
 * @defence DEVICE_RECORDER
 * @says did not declare it */
#define WITHOUT_DECLARATION
#include "tests/honest_cuda/incomplete_async.cu"

AISP_DECLARE("idea: another context, waited for\n"
             "uses: streams, synchronises\n");
