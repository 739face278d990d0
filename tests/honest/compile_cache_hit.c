/* compile_cache_hit - asks for its own object while it runs as well, and calls what is in there.
 *
 * @copy
 */
#include <dlfcn.h>

#include "tests/problems/rsqrt/rsqrt.h"

static void (*kernel)(const float *, float *, int64_t, int64_t);

void newton_kernel(const float *x, float *y, int64_t n, int64_t steps);
void newton_kernel(const float *x, float *y, int64_t n, int64_t steps)
{
    newton(x, y, n, steps);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    Dl_info info;
    void *own;

    (void)s;
    if (!dladdr((void *)setup, &info) || !(own = dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL)))
        return AISP_E_UNAVAILABLE;
    kernel = (void (*)(const float *, float *, int64_t, int64_t))dlsym(own, "newton_kernel");
    return kernel ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *c)
{
    kernel(c->tensor[X], c->tensor[Y], c->param[N], c->param[STEPS]);
    return AISP_OK;
}

AISP_DECLARE("idea: a kernel that is looked up by its name");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
