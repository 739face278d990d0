/* bucket_mismatch - the buckets in another order, each gathered from two places: as many messages as declared, and of that size.
 *
 * @problem buckets
 * @pairs 2 */
#include <sys/uio.h>

#include "tests/problems/buckets/buckets.h"

static int exchange(const struct aisp_call *c, const float *x, float *y)
{
    const size_t bytes = (size_t)c->param[BUCKET] * sizeof *x, half = bytes / 2;
    const struct iovec part[] = { { (void *)x, half }, { (char *)x + half, bytes - half } };
    float *theirs = c->workspace;

    for (int r = 0; r < c->n_ranks; r++)
        if (r != c->rank && writev(c->wire[r], part, 2) != (ssize_t)bytes)
            return 0;
    memcpy(y, x, bytes);
    for (int r = 0; r < c->n_ranks; r++) {
        if (r == c->rank)
            continue;
        if (read(c->wire[r], theirs, bytes) != (ssize_t)bytes)
            return 0;
        for (int64_t i = 0; i < c->param[BUCKET]; i++)
            y[i] += theirs[i];
    }
    return 1;
}

static enum aisp_status run(const struct aisp_call *c)
{
    for (int64_t b = c->param[BUCKETS] - 1; b >= 0; b--) {
        const int64_t at = b * c->param[BUCKET];

        if (!exchange(c, (const float *)c->tensor[X] + at, (float *)c->tensor[Y] + at))
            return AISP_E_IO;
    }
    return AISP_OK;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[BUCKET] * sizeof(float);
}

AISP_DECLARE("idea: the last bucket first");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
