/* jit_timing - makes code too, in setup, and says so.
 *
 * @pairs 1 */
#include <string.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { PAGE = 4096 };
static int (*steps_of)(void);

/* mov eax, steps; ret */
static enum aisp_status setup(const struct aisp_setup *s)
{
    char *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int32_t steps = (int32_t)s->param[STEPS];

    if (code == MAP_FAILED)
        return AISP_E_NO_MEMORY;
    code[0] = (char)0xb8;
    memcpy(code + 1, &steps, sizeof steps);
    code[5] = (char)0xc3;
    memcpy(&steps_of, &code, sizeof steps_of);
    return mprotect(code, PAGE, PROT_READ | PROT_EXEC) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    newton(c->tensor[X], c->tensor[Y], c->param[N], steps_of());
    return AISP_OK;
}

AISP_DECLARE("idea: compile once, for these parameters\n"
             "uses: jit");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
