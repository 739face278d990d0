/* layer - a small linear layer, its weights constant. */
#include <aisp/problem.h>

enum { X, W, Y };
enum { BATCH, IN, OUT };

static void reference(const struct aisp_view *v, int t, int64_t first, int64_t n, void *to)
{
    const float *x = v->tensor[X], *w = v->tensor[W];
    const int64_t in = v->param[IN], out = v->param[OUT];
    double *y = to;

    (void)t;
    for (int64_t b = first; b < first + n; b++)
        for (int64_t o = 0; o < out; o++, y++) {
            *y = 0;
            for (int64_t i = 0; i < in; i++)
                *y += (double)x[b * in + i] * w[o * in + i];
        }
}

/* Backwards, in pairs, with more digits where the machine has them. */
static void second(const struct aisp_view *v, int t, int64_t first, int64_t n, void *to)
{
    const float *x = v->tensor[X], *w = v->tensor[W];
    const int64_t in = v->param[IN], out = v->param[OUT];

    (void)t;
    for (int64_t i = 0; i < n * out; i++) {
        const float *a = x + (first + i / out) * in, *b = w + i % out * in;
        long double even = 0, odd = 0;

        for (int64_t k = in - 1; k >= 0; k--)
            *(k % 2 ? &odd : &even) += (long double)a[k] * b[k];
        ((double *)to)[i] = (double)(even + odd);
    }
}

static const struct aisp_param params[] = {
    { "batch", 32, 16, 0, 9, 33, 1, AISP_BATCH },
    { "in", 64, 48, 0, 24, 80, 1 },
    { "out", 48, 20, 0, 12, 60, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "batch, in", { AISP_NORMAL, 0, 1 } },
    { "w", AISP_WEIGHT, AISP_F32, "out, in", { AISP_NORMAL, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "batch, out", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A linear layer",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*(batch*in + out*in + batch*out)",
    .flops = "~2*batch*in*out",
    .tolerance = { .ulps = 4, .length = "in", .why = "sums of `in` products, Higham 2002 eq. 3.5" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
    .second = second,
};
