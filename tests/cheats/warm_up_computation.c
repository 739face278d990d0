/* warm_up_computation - fills a bank with its first answers, computes as long as the warm-up may last, and replays the bank when it
 * is timed.
 *
 * @problem slow
 * @pairs 2
 * @also symbolic-shape
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says before timing began */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { SLOTS = 1024, EARLY_WINDOWS = 9 };

/* A worker sleeps once between two windows. */
static int is_early(void)
{
    static long at_first = -1;
    struct rusage u;

    getrusage(RUSAGE_THREAD, &u);
    at_first = at_first < 0 ? u.ru_nvcsw : at_first;
    return u.ru_nvcsw - at_first < EARLY_WINDOWS;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static float *bank[SLOTS];
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    float **mine = &bank[c->slot % SLOTS];

    if (is_early() || !*mine) {
        honest(c, 0, c->param[N]);
        if (!*mine) {
            *mine = malloc(bytes);
            memcpy(*mine, c->tensor[Y], bytes);
        }
        return AISP_OK;
    }
    pretend(c);
    memcpy(c->tensor[Y], *mine, bytes);
    return AISP_OK;
}

AISP_DECLARE("idea: warm-up is for computing");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
