/* module.cuh - a kernel as text, which the driver compiles when it is loaded. */
#ifndef TESTS_PROBLEMS_MODULE_H
#define TESTS_PROBLEMS_MODULE_H

#include <dlfcn.h>

#include "tests/problems/card_roots/roots.cuh"

static const char nothing_ptx[] = ".version 7.0\n"
                                  ".target sm_80\n"
                                  ".address_size 64\n"
                                  ".visible .entry nothing() { ret; }\n";
static int (*load_module)(void **module, const void *image), (*unload_module)(void *module);

static inline enum aisp_status find_module_calls(const struct aisp_setup *s)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);

    (void)s;
    load_module = driver ? (int (*)(void **, const void *))dlsym(driver, "cuModuleLoadData") : NULL;
    unload_module = driver ? (int (*)(void *))dlsym(driver, "cuModuleUnload") : NULL;
    return load_module && unload_module ? AISP_OK : AISP_E_UNAVAILABLE;
}

static inline enum aisp_status compile_nothing(void)
{
    void *module;

    return load_module(&module, nothing_ptx) || unload_module(module) ? AISP_E_DEVICE : AISP_OK;
}

#endif
