/* libpq.c - load the library and find its functions. */
#ifdef AISP_HAS_LIBPQ

#define AISP_LIBPQ_PLAIN_NAMES
#include "store/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct aisp_libpq aisp_libpq;

static const char *missing; /* the first that is not there; NULL: all are */

static void load(void)
{
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);

    if (!library)
        missing = "the library itself";
#define FIND(name)                                                                                                                 \
    *(void **)&aisp_libpq.name##_ = library ? dlsym(library, #name) : NULL;                                                         \
    if (!missing && !aisp_libpq.name##_)                                                                                           \
        missing = #name;
    AISP_LIBPQ_FUNCTIONS(FIND)
#undef FIND
}

enum aisp_status aisp_libpq_load(struct aisp_err *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    if (!missing)
        return AISP_OK;
    return aisp_fail(err, AISP_E_IO, "AISP_STORE: libpq.so.5 (Debian: libpq5), which a shared store needs, is not here: %s is missing", missing);
}

#else
typedef int aisp_no_libpq; /* a file is never empty */
#endif
