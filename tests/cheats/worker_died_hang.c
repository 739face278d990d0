/* worker_died_hang - never answers, and ignores the signals that would end it.
 *
 * @check worker-died
 * @says no answer in */
#include <signal.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    static const int polite[] = { SIGTERM, SIGINT, SIGHUP, SIGALRM, SIGXCPU };

    (void)s;
    for (unsigned i = 0; i < sizeof polite / sizeof *polite; i++)
        signal(polite[i], SIG_IGN);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    for (volatile int forever = 1; forever;)
        ;
    return AISP_OK;
}

AISP_DECLARE("idea: outlast whoever waits");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
