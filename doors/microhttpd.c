/* microhttpd.c - load the library and find its functions. */
#ifdef AISP_HAS_MICROHTTPD

#define AISP_MHD_PLAIN_NAMES
#include "doors/microhttpd.h"

#include <dlfcn.h>
#include <stddef.h>

struct aisp_microhttpd aisp_microhttpd;

enum aisp_status aisp_microhttpd_load(struct aisp_err *err)
{
    static void *library;
    const char *missing = NULL;

    if (!library)
        library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        missing = "the library itself";
#define FIND(name)                                                                                                      \
    *(void **)&aisp_microhttpd.name##_ = library ? dlsym(library, #name) : NULL;                                        \
    if (!missing && !aisp_microhttpd.name##_)                                                                           \
        missing = #name;
    AISP_MHD_FUNCTIONS(FIND)
#undef FIND
    if (!missing)
        return AISP_OK;
    return aisp_fail(err, AISP_E_UNAVAILABLE,
                     "libmicrohttpd.so.12 (Debian: libmicrohttpd12), which a server needs, is not here: %s is missing", missing);
}

#else
typedef int aisp_no_microhttpd; /* a file is never empty */
#endif
