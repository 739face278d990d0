/* variant.c - the problem solved once for each WORK: 1 one by one, 2 every element four times, 0 as the compiler likes it, -1 wrongly. */
#include <aisp/variant.h>

static inline float once(float x)
{
    float y = (float)FACTOR * x;

#if WORK > 0
    __asm__ volatile("" : "+x"(y));           /* one element at a time */
#endif
    return y;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];
    const int64_t n = call->param[0];

    for (int64_t i = 0; i < n; i++) {
#if WORK > 1
        for (int again = 0; again < 3; again++)
            (void)once(x[i]);
#endif
        y[i] = once(x[i]);
    }
#if WORK < 0
    y[n - 1] += 1;
#endif
    return AISP_OK;
}

AISP_DECLARE("idea: " IDEA);
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
