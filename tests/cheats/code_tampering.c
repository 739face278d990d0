/* code_tampering - declares that it makes code, and writes over libc's clock, which the worker reads round its calls.
 *
 * @defence PROCESS_FACTS
 * @says libc */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

/* xor eax, eax; ret: it says that all went well, and no time has passed. */
static const unsigned char nothing[] = { 0x31, 0xc0, 0xc3 };

static enum aisp_status setup(const struct aisp_setup *s)
{
    int (*clock)(clockid_t, struct timespec *) = clock_gettime;
    char *at, *page;

    (void)s;
    memcpy(&at, &clock, sizeof at);
    page = (char *)((uintptr_t)at & ~(uintptr_t)4095);
    if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
        return AISP_E_UNAVAILABLE;
    memcpy(at, nothing, sizeof nothing);
    return mprotect(page, 8192, PROT_READ | PROT_EXEC) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a clock that stands still\n"
             "uses: jit");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
