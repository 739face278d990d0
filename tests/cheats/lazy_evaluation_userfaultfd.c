/* lazy_evaluation_userfaultfd - wants to answer the page faults on its output by itself, later.
 *
 * @check lazy-evaluation
 * @defence CONFINEMENT
 * @says userfaultfd */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: pages that fill themselves");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
