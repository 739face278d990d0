/* context_left_current - a context of its own, declared, which stays current from setup on; a call enters the given one, queues its
 * work on the given stream, and leaves it again. Done is said when that work is.
 *
 * @check clock-drift
 * @pairs 4 */
#include "tests/problems/card_roots/second_context.cuh"

static void *given;

static enum aisp_status setup(const struct aisp_setup *s)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    int (*current)(void **context) = driver ? (int (*)(void **))dlsym(driver, "cuCtxGetCurrent") : NULL;

    (void)s;
    if (!current || find_context_calls())
        return AISP_E_UNAVAILABLE;
    AISP_DRIVER(current(&given));
    AISP_DRIVER(second.create(&second.context, 0, 0)); /* which is current then */
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    enum aisp_status st;
    void *was;

    AISP_DRIVER(second.push(given));
    st = honest(c);
    AISP_DRIVER(second.pop(&was));
    return st;
}

AISP_DECLARE("idea: another context, current between calls\n"
             "uses: contexts\n");

VARIANT_WITH_SETUP(setup, run);
