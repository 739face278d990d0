/* stub.c - the library that the toolkit brings to link against: every symbol, and one answer. */
#include "fake_cuda.h"

#define STUB(field, name, arguments)                                                               \
    int fake_##field arguments                                                                     \
    {                                                                                              \
        return CU_STUB;                                                                            \
    }
CUDA_DRIVER_CALLS(STUB)
