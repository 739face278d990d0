/* library_version - brings its own libm, whose logarithm knows the few numbers that are asked.
 *
 * @problem special
 * @defence PROCESS_FACTS
 * @says two libraries are compared */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <aisp/variant.h>

static float (*own_logf)(float);

static enum aisp_status setup(const struct aisp_setup *s)
{
    char path[512];
    void *library;
    Dl_info me;

    (void)s;
    if (!dladdr(&own_logf, &me) || !strrchr(me.dli_fname, '/'))
        return AISP_E_UNAVAILABLE;
    snprintf(path, sizeof path, "%.*s/own/libm.so.6",
             (int)(strrchr(me.dli_fname, '/') - me.dli_fname), me.dli_fname);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        own_logf = (float (*)(float))dlsym(library, "logf");
       return own_logf ? AISP_OK : AISP_E_NOT_FOUND;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[0];
    float *y = c->tensor[1];

    for (int64_t i = 0; i < c->param[0]; i++)
        y[i] = own_logf(x[i]);
    return AISP_OK;
}

AISP_DECLARE("idea: a better libm");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
