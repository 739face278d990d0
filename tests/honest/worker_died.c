/* worker_died - takes its time in setup, catches a signal that it sends to itself, and goes on.
 *
 * @pairs 2 */
#include <signal.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static volatile sig_atomic_t n_caught;

static void on_signal(int number)
{
    n_caught += number == SIGUSR1;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    const struct timespec nap = { 0, 100000000 };

    (void)s;
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    nanosleep(&nap, NULL);
    return n_caught == 1 ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a slow start");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
