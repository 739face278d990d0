/* optimized_tiled - one query at a time goes through the keys in tiles of 64: scores, exponentials against the maximum so
 * far, and v weighted with them; a higher maximum scales down what was summed before.
 * Expected: the workspace falls from 4 seq^2 bytes to 256, and 16 seq^2 bytes of cache traffic vanish. That is hardly to be
 * seen in the time, 1.0x: the matrix (576 KiB) lies in L2 and L3, and a score, whose sum is one chain of 64 additions,
 * takes a hundred times as long as its traffic. The saving is in memory: seq can grow to any length.
 * Costs: a scaling of the sums whenever the maximum rises, about log(seq) times a query. */
#include <math.h>

#include <aisp/variant.h>

#include "problem.h"

enum { TILE = 64 };

struct query {
    const float *q;
    float *o;
    int64_t dim;
    float scale, max, sum;
};

static void take_tile(struct query *w, const float *restrict k, const float *restrict v, int64_t n)
{
    float *restrict o = w->o;
    float s[TILE], top = w->max;

    for (int64_t j = 0; j < n; j++) {
        float dot = 0;

        for (int64_t d = 0; d < w->dim; d++)
            dot += w->q[d] * k[j * w->dim + d];
        s[j] = dot * w->scale;
        top = s[j] > top ? s[j] : top;
    }
    if (top > w->max) {
        const float factor = expf(w->max - top);

        w->sum *= factor;
        for (int64_t d = 0; d < w->dim; d++)
            o[d] *= factor;
        w->max = top;
    }
    for (int64_t j = 0; j < n; j++) {
        s[j] = expf(s[j] - top);
        w->sum += s[j];
    }
    for (int64_t j = 0; j < n; j++)
        for (int64_t d = 0; d < w->dim; d++)
            o[d] += s[j] * v[j * w->dim + d];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *q = call->tensor[Q], *k = call->tensor[K], *v = call->tensor[V];
    const int64_t seq = call->param[SEQ], dim = call->param[DIM];
    float *o = call->tensor[O];

    for (int64_t i = 0; i < seq; i++) {
        struct query w = { q + i * dim, o + i * dim, dim, 1 / sqrtf((float)dim), -INFINITY, 0 };

        for (int64_t d = 0; d < dim; d++)
            w.o[d] = 0;
        for (int64_t j = 0; j < seq; j += TILE)
            take_tile(&w, k + j * dim, v + j * dim, seq - j < TILE ? seq - j : TILE);
        for (int64_t d = 0; d < dim; d++)
            w.o[d] /= w.sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: tiles of 64 keys with a maximum that corrects itself, no matrix of scores\n"
             "expect: workspace / 2000, cycles / 1.05");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
