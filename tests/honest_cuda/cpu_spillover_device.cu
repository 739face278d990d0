/* cpu_spillover_device - the same, declared. */
#include "tests/problems/card_roots/on_host.cuh"

AISP_DECLARE("idea: cores compute too\n"
             "uses: synchronises, host-compute\n");

VARIANT_WITH_SETUP(open_host, run_on_host);
