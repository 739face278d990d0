/* multi_optimization - a block of a transformer, width = heads*dim:
 *   x1 = x + attention(rms(x) norm1 w_qkv) w_out, causal, per head
 *   y = x1 + gelu(rms(x1) norm2 w_up) w_down
 * where rms(x) is a row divided by the root of its mean square, and gelu(u) = u / 2 (1 + tanh(sqrt(2/pi) (u + 0.044715
 * u^3))).
 * Why it is interesting: three things take the time, products with matrices, attention, and the activation, each for its
 * own reason.
 * What a change gains alone says little: it is bounded by its share, and that share grows with every other change. The
 * rungs make each change alone and then all of them, so that what they add up to can be compared with what was predicted. */
#include <math.h>
#include <stdlib.h>

#include <aisp/problem.h>

#include "problem.h"

/* y = rms(x) g w for one row; w is (width, n). */
static void norm_project(const double *x, const float *g, const float *w, double *y, int64_t width, int64_t n)
{
    double square = 0;

    for (int64_t i = 0; i < width; i++)
        square += x[i] * x[i];
    for (int64_t j = 0; j < n; j++)
        y[j] = 0;
    for (int64_t i = 0; i < width; i++) {
        const double h = x[i] / sqrt(square / (double)width + NORM_EPSILON) * (double)g[i];

        for (int64_t j = 0; j < n; j++)
            y[j] += h * (double)w[i * n + j];
    }
}

/* Row i of one head; scores stay far from where exponentials of f64 overflow. */
static void attend(const double *qkv, int64_t i, int64_t h, int64_t dim, int64_t width, double *o)
{
    double sum = 0;

    for (int64_t d = 0; d < dim; d++)
        o[d] = 0;
    for (int64_t j = 0; j <= i; j++) {
        const double *q = qkv + i * 3 * width + h * dim, *k = qkv + j * 3 * width + width + h * dim, *v = k + width;
        double dot = 0, e;

        for (int64_t d = 0; d < dim; d++)
            dot += q[d] * k[d];
        e = exp(dot / sqrt((double)dim));
        sum += e;
        for (int64_t d = 0; d < dim; d++)
            o[d] += e * v[d];
    }
    for (int64_t d = 0; d < dim; d++)
        o[d] /= sum;
}

/* y = x + h w for one row; w is (n, width). */
static void add_product(const double *x, const double *h, const float *w, double *y, int64_t n, int64_t width)
{
    for (int64_t j = 0; j < width; j++)
        y[j] = x[j];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < width; j++)
            y[j] += h[i] * (double)w[i * width + j];
}

/* Keys and values of all rows up to the last that is asked for, the rest for those rows alone. */
static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t heads = in->param[HEADS], dim = in->param[DIM], width = heads * dim, hidden = in->param[HIDDEN];
    const float *x = in->tensor[X];
    double *room = malloc((size_t)((first + n) * 4 * width + 2 * width + hidden) * sizeof *room), *qkv = room;
    double *rows = qkv + (first + n) * 3 * width, *o = rows + (first + n) * width, *x1 = o + width, *u = x1 + width;

    (void)out;
    if (!room)
        abort();
    for (int64_t i = 0; i < first + n; i++) {
        for (int64_t j = 0; j < width; j++)
            rows[i * width + j] = x[i * width + j];
        norm_project(rows + i * width, in->tensor[NORM1], in->tensor[W_QKV], qkv + i * 3 * width, width, 3 * width);
    }
    for (int64_t i = first; i < first + n; i++) {
        for (int64_t h = 0; h < heads; h++)
            attend(qkv, i, h, dim, width, o + h * dim);
        add_product(rows + i * width, o, in->tensor[W_OUT], x1, width, width);
        norm_project(x1, in->tensor[NORM2], in->tensor[W_UP], u, width, hidden);
        for (int64_t j = 0; j < hidden; j++)
            u[j] *= 0.5 * (1 + tanh(GELU_SCALE * (u[j] + GELU_CUBIC * u[j] * u[j] * u[j])));
        add_product(x1, u, in->tensor[W_DOWN], (double *)to + (i - first) * width, hidden, width);
    }
    free(room);
}

static const struct aisp_param params[] = {
    { "seq", 128, 13, 512, 120, 140, 1 },
    { "heads", 3, 2, 6, 3, 3, 1 },
    { "dim", 32, 12, 64, 32, 40, 8 },
    { "hidden", 384, 37, 1536, 370, 410, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "seq, heads*dim", { AISP_NORMAL, 0, 1 } },
    { "norm1", AISP_WEIGHT, AISP_F32, "heads*dim", { AISP_UNIFORM, 0.5, 1.5 } },
    { "w_qkv", AISP_WEIGHT, AISP_F32, "heads*dim, 3*heads*dim", { AISP_UNIFORM, -0.2, 0.2 } },
    { "w_out", AISP_WEIGHT, AISP_F32, "heads*dim, heads*dim", { AISP_UNIFORM, -0.2, 0.2 } },
    { "norm2", AISP_WEIGHT, AISP_F32, "heads*dim", { AISP_UNIFORM, 0.5, 1.5 } },
    { "w_up", AISP_WEIGHT, AISP_F32, "heads*dim, hidden", { AISP_UNIFORM, -0.2, 0.2 } },
    { "w_down", AISP_WEIGHT, AISP_F32, "hidden, heads*dim", { AISP_UNIFORM, -0.2, 0.2 } },
    { "y", AISP_OUT, AISP_F32, "seq, heads*dim", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A transformer block, one change at a time",
    .teaches = "optimizations alone and together: shares, Amdahl's law, what adds up",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*(2*seq*heads*dim + 4*heads*dim*heads*dim + 2*heads*dim*hidden)",
    .flops = "~8*seq*heads*dim*heads*dim + 4*seq*heads*dim*hidden + 2*seq*seq*heads*dim",
    .tolerance = { .ulps = 16,
                   .length = "heads*dim + hidden + seq",
                   .why = "four products in a row, of width, width, width and hidden terms, and a weighted mean of seq values; "
                          "norms and weights keep every intermediate near 1, so that none amplifies what came before; "
                          "roundings of either sign grow as the root of their number (Higham and Mary 2019), and 8 deviations "
                          "are allowed" },
    .reference = reference,
};
