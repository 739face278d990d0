/* metric_gaming_hidden_memory - keeps its copy of the input in a pipe, which is no memory of the process.
 *
 * @check metric-gaming
 * @problem memory_small
 * @pairs 1
 * @defence MEMORY_CAP
 * @needs CONFINEMENT
 * @faster
 * @says descriptors */
#include <fcntl.h>
#include <unistd.h>

#include "tests/problems/memory_small/small.h"

enum { PART = 1024, ROOM = 1 << 20 };
static int end[2] = { -1, -1 };

__attribute__((constructor)) static void load(void)
{
    if (!pipe(end))
        fcntl(end[1], F_SETPIPE_SZ, ROOM);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    float part[PART];

    if (write(end[1], c->tensor[X], bytes) != (ssize_t)bytes)
        return AISP_E_IO;
    for (int64_t from = 0; from < c->param[N]; from += PART) {
        const int64_t n = c->param[N] - from < PART ? c->param[N] - from : PART;

        if (read(end[0], part, (size_t)n * sizeof *part) < 0)
            return AISP_E_IO;
        newton(part, (float *)c->tensor[Y] + from, n, c->param[STEPS]);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a copy that nobody counts");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
