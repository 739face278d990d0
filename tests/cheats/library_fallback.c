/* library_fallback - lets an installed library do a part of its work, and does not say so.
 *
 * @defence PROCESS_FACTS
 * @says the library */
#include <dlfcn.h>

#include "tests/problems/rsqrt/rsqrt.h"

/* The first of these that is there. */
static enum aisp_status setup(const struct aisp_setup *s)
{
    static const char *const names[] = { "libopenblas.so.0", "libblas.so.3", "libz.so.1",
                                         "libjansson.so.4" };
    void *library = NULL;

    (void)s;
    for (unsigned i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    *s->state = library ? dlsym(library, "cblas_scopy") : NULL;
    return library ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static float scratch[1 << 16];
    void (*copy)(int, const float *, int, float *, int) = (void (*)(int, const float *, int, float *, int))c->state;

    if (!copy) {
        honest(c, 0, c->param[N]);
        return AISP_OK;
    }
    newton(c->tensor[X], scratch, c->param[N], c->param[STEPS]);
    copy((int)c->param[N], scratch, 1, c->tensor[Y], 1);
    return AISP_OK;
}

AISP_DECLARE("idea: whatever is installed");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
