/* driver.cuh - calls of the driver's own interface, which is never linked: found at run time, typed by its header. */
#ifndef PEAK_DRIVER_CUH
#define PEAK_DRIVER_CUH

#include <cuda.h>
#include <dlfcn.h>

#include "peak_cuda/measure.cuh"

/* Declares `name`, a pointer to the driver's function; false with the reason where there is none. */
#define PEAK_DRIVER(name, symbol)                                                                    \
    decltype(&::name) name = (decltype(&::name))peak_driver_symbol(symbol, why);                     \
    if (!name)                                                                                       \
        return false

#define PEAK_CU_TRY(call)                                                                            \
    do {                                                                                             \
        const CUresult peak_result_code = (call);                                                    \
        if (peak_result_code != CUDA_SUCCESS)                                                        \
            return peak_driver_failed(why, #call, peak_result_code);                                 \
    } while (0)

static inline void *peak_driver_symbol(const char *symbol, char *why)
{
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *const found = library ? dlsym(library, symbol) : NULL;

    if (!found)
        snprintf(why, PEAK_WHY, "the driver has no %s", symbol);
    return found;
}

static inline bool peak_driver_failed(char *why, const char *call, CUresult code)
{
    typedef CUresult error_name(CUresult, const char **);
    char ignored[PEAK_WHY];
    error_name *const name = (error_name *)peak_driver_symbol("cuGetErrorName", ignored);
    const char *text = NULL;

    if (name)
        name(code, &text);
    snprintf(why, PEAK_WHY, "%.*s: %s (%d)", (int)strcspn(call, "("), call, text ? text : "error", (int)code);
    return false;
}

#endif
