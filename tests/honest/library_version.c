/* library_version - opens libm by its name at run time, and so gets the one that everybody has.
 *
 * @problem special */
#include <dlfcn.h>

#include <aisp/variant.h>

static float (*its_logf)(float);

static enum aisp_status setup(const struct aisp_setup *s)
{
    void *library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);

    (void)s;
    if (library)
        its_logf = (float (*)(float))dlsym(library, "logf");
    return its_logf ? AISP_OK : AISP_E_NOT_FOUND;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[0];
    float *y = c->tensor[1];

    for (int64_t i = 0; i < c->param[0]; i++)
        y[i] = its_logf(x[i]);
    return AISP_OK;
}

AISP_DECLARE("idea: the library's logarithm");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
