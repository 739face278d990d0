/* fast_matmul - C = A B, square, with fewer multiplications than the definition has. Strassen (1969) needs seven products of halves
 * instead of eight; programs have since found schemes with fewer for other blockings. Both sides use the same inner multiplication,
 * so that what is compared is the algorithm. The error of a fast scheme is bounded by the norm of the matrices and no longer element by
 * element, and grows with each level: the tolerance here is what two levels need, and the definition has to keep it too. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t size = in->param[SIZE];
    const float *a = in->tensor[A], *b = in->tensor[B];
    double *c = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++, c += size) {
        for (int64_t j = 0; j < size; j++)
            c[j] = 0;
        for (int64_t k = 0; k < size; k++)
            for (int64_t j = 0; j < size; j++)
                c[j] += (double)a[i * size + k] * (double)b[k * size + j];
    }
}

static const struct aisp_param params[] = {
    { "size", 384, 36, 0, 360, 420, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "a", AISP_IN, AISP_F32, "size, size", { AISP_NORMAL, 0, 1 } },
    { "b", AISP_IN, AISP_F32, "size, size", { AISP_NORMAL, 0, 1 } },
    { "c", AISP_OUT, AISP_F32, "size, size", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Multiply matrices with fewer multiplications",
    .teaches = "algorithms found by programs: Strassen's scheme, what it saves and what error it costs",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "12*size*size",
    .flops = "~2*size*size*size",
    .tolerance = { .ulps = 12,
                   .length = "size",
                   .why = "two levels of Strassen: the bound of the norm grows by 12 a level (Higham 2002, section 23.2.2), the usual "
                          "error by about 2" },
    .reference = reference,
};

/* A product saved is worth its additions only where products are large. */
AISP_SWEEP("size=32:512:x2");
