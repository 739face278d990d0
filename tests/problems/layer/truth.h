/* truth.h - a linear layer, its weights constant, for all problems that ask for it. TITLE, FILL and params are theirs. */
#ifndef TESTS_PROBLEMS_LAYER_TRUTH_H
#define TESTS_PROBLEMS_LAYER_TRUTH_H

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

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "batch, in", FILL },
    { "w", AISP_WEIGHT, AISP_F32, "out, in", FILL },
    { "y", AISP_OUT, AISP_F32, "batch, out", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = TITLE,
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

#endif
