/* compiles - code that is compiled inside of every call, and not used. */
#include "tests/problems/card_roots/roots.cuh"

static const char source[] = ".version 7.0\n"
                             ".target sm_80\n"
                             ".address_size 64\n"
                             ".visible .entry nothing() { ret; }\n";

static enum aisp_status run(const struct aisp_call *c)
{
    cudaLibrary_t library;

    AISP_CUDA(cudaLibraryLoadData(&library, source, NULL, NULL, 0, NULL, NULL, 0));
    AISP_CUDA(cudaLibraryUnload(library));
    return honest(c);
}

AISP_DECLARE("idea: code of the moment\n"
             "uses: jit\n");

VARIANT(run);
