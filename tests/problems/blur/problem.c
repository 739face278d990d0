/* blur - a small filter over an image. */
#include <aisp/problem.h>

enum { X, Y };
enum { HEIGHT, WIDTH };

static double at(const struct aisp_view *in, int64_t i, int64_t j)
{
    const int64_t h = in->param[HEIGHT], w = in->param[WIDTH];

    return (double)((const float *)in->tensor[X])[(i < h ? i : h - 1) * w + (j < w ? j : w - 1)];
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        for (int64_t j = 0; j < in->param[WIDTH]; j++)
            *y++ = at(in, i, j) / 2 + at(in, i, j + 1) / 4 + (at(in, i + 1, j) + at(in, i + 1, j + 1)) / 8;
}

static const struct aisp_param params[] = {
    { "height", 64, 24, 0, 16, 70, 1, AISP_RESOLUTION },
    { "width", 64, 32, 0, 16, 70, 1, AISP_RESOLUTION },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "height, width", { AISP_UNIFORM, 0, 1 } },
    { "y", AISP_OUT, AISP_F32, "height, width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A filter over an image",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*height*width",
    .flops = "~7*height*width",
    .tolerance = { .ulps = 6, .why = "seven roundings of positive terms" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
