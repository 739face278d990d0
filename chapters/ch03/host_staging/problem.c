/* host_staging - a linear layer learns from batches of records that lie scattered in a large table. In each step a batch is
 * copied together into a staging buffer, as what computes on it wants it in one piece; then the layer predicts the first 16
 * fields of each record from its other fields, y = x w, and goes a step down the gradient: w -= rate * mean of x' (y - target).
 * The copy waits for memory (five or six lines of a table of 70 MiB, on a page of their own), the step for the arithmetic
 * units, about equally long; one after the other they take the sum of both. The steps themselves cannot be shared out: each
 * needs the w that the one before it leaves. But which records come next is known long before, so that the copy need not wait.
 * table and start are weights: they keep their contents, the picks are new in each call. */
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* One record: its prediction to y, its part of the gradient to g. */
static void learn_record(const float *record, int64_t fields, const double *w, double *g, double *y)
{
    const float *x = record + OUTPUTS;

    for (int o = 0; o < OUTPUTS; o++)
        y[o] = 0;
    for (int64_t k = 0; k < fields; k++)
        for (int o = 0; o < OUTPUTS; o++)
            y[o] += (double)x[k] * w[k * OUTPUTS + o];
    for (int64_t k = 0; k < fields; k++)
        for (int o = 0; o < OUTPUTS; o++)
            g[k * OUTPUTS + o] += (double)x[k] * (y[o] - (double)record[o]);
}

/* A row of y is a step; all steps before it have to be taken as well. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t fields = in->param[FIELDS], batch = in->param[BATCH], weights = fields * OUTPUTS;
    const float *start = in->tensor[START];
    const int32_t *pick = in->tensor[PICK];
    double *w = malloc((size_t)weights * 2 * sizeof *w), *g = w + weights, *y = to, unwanted[OUTPUTS];

    (void)out;
    if (!w)
        abort();
    for (int64_t i = 0; i < weights; i++)
        w[i] = (double)start[i];
    for (int64_t s = 0; s < first + n; s++) {
        for (int64_t i = 0; i < weights; i++)
            g[i] = 0;
        for (int64_t b = 0; b < batch; b++) {
            const float *record = (const float *)in->tensor[TABLE] +
                                  row_of(pick[s * batch + b], in->param[ROWS]) * (OUTPUTS + fields);

            learn_record(record, fields, w, g, s < first ? unwanted : y);
            y += s < first ? 0 : OUTPUTS;
        }
        for (int64_t i = 0; i < weights; i++)
            w[i] -= RATE / (double)batch * g[i];
    }
    free(w);
}

static const struct aisp_param params[] = {
    { "rows", 229376, 1021, 0, 220000, 240000, 1, AISP_PLAIN },
    { "fields", 64, 13, 0, 60, 68, 1, AISP_PLAIN },
    { "batch", 256, 7, 0, 240, 280, 1, AISP_PLAIN },
    { "steps", 48, 5, 0, 44, 52, 1, AISP_PLAIN },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "table", AISP_WEIGHT, AISP_F32, "rows, 16 + fields", { AISP_NORMAL, 0, 1 } },
    { "start", AISP_WEIGHT, AISP_F32, "fields, 16", { AISP_NORMAL, 0, 1 } },
    { "pick", AISP_IN, AISP_I32, "steps, batch", { AISP_INTEGERS, 0, 2147483648.0 } },
    { "y", AISP_OUT, AISP_F32, "steps, batch, 16", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Learn from batches gathered out of a large table",
    .teaches = "operating system: staging the next batch while this one is computed on, by prefetches or by a helper thread",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    /* Picks may name the same record, and the last cache may hold some of the table: half a record a pick is sure to move. */
    .bytes = "2*(16 + fields)*min(steps*batch, rows) + 68*steps*batch",
    .flops = "64*steps*batch*fields",
    .tolerance = { .ulps = 4,
                   .length = "fields + steps",
                   .why = "a sum of `fields` products in any order (Higham 2002, 3.5) with weights that are rounded once a "
                          "step; the gradient adds u/32 of them a step, and a step shrinks what errors there are" },
    .reference = reference,
};
