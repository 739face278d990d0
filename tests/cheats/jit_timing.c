/* jit_timing - a reference that compiles anew in every call, so that whoever is compared with it looks fast.
 *
 * @side A
 * @pairs 2
 * @defence PROCESS_FACTS
 * @faster
 * @says in its windows */
#include <string.h>
#include <sys/mman.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { PAGE = 4096 };

/* mov eax, steps; ret */
static int64_t compiled_steps(const struct aisp_call *c)
{
    static char *code;
    const int32_t steps = (int32_t)c->param[STEPS];
    int (*run_code)(void);

    if (code)
        munmap(code, PAGE);
    code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED)
        return 0;
    code[0] = (char)0xb8;
    memcpy(code + 1, &steps, sizeof steps);
    code[5] = (char)0xc3;
    if (mprotect(code, PAGE, PROT_READ | PROT_EXEC))
        return 0;
    memcpy(&run_code, &code, sizeof run_code);
    return run_code();
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t steps = compiled_steps(c);

    newton(c->tensor[X], c->tensor[Y], c->param[N], steps);
    return steps ? AISP_OK : AISP_E_UNAVAILABLE;
}

AISP_DECLARE("idea: compile for each call\n"
             "uses: jit, allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
