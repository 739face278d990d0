/* speculative_decoding - greedy decoding of one sequence by a small recurrent model with whole-numbered weights.
 * Token t comes from the one before it (a 0 before the first): x = e[token before] + position[t]; then layer by layer
 *   s = ceil(s / 2) + floor(W x / 2^18),  x = limit(x + bend(s)),
 * where s is what this layer remembers from token to token, bend() keeps within +-255 and limit() within +-4095; then token t
 * is the place of the greatest number of U x, the first of several. `state` is s of all layers behind the prompt.
 * Why it is interesting: each token needs all weights (6.7 MB), and they come from afar for one multiplication each. Four
 * tokens that were known could go through the model together in less than twice the time of one, and a cheap guess makes
 * them known nearly: what a draft guesses is taken only where the model itself says the same, so that the tokens are always
 * the model's.
 * The draft is not given and not made for this text: it is the first of the model's own layers with the same U (an early
 * exit). Why it is right at times: a layer adds to x about a twelfth of its size, as layers of trained residual networks add
 * little. Measured over 24 sequences of 40 tokens of 4 models with random weights: behind the first of 16 layers the
 * greatest number is the final one for 79 of 100 tokens, and guesses of three give 2.7 tokens a pass. It is the model that
 * makes it so: with W twice as large it is 66 of 100, with W four times as large 44, and 1.7 tokens; the scale here was chosen
 * among these as one with which a draft pays.
 * All is in whole numbers and every sum fits in 32 bits (dim < 1024): there is one right answer, in any order of summation. */
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

static int64_t within(int64_t v, int64_t bound)
{
    return v > bound ? bound : v < -bound ? -bound : v;
}

static int64_t floor_of(int64_t v, int64_t by)
{
    return v >= 0 ? v / by : -((by - 1 - v) / by);
}

/* |x| <= LIMIT, |w| <= 512, dim < 1024: 32 bits hold it. */
static int32_t product(const int16_t *w, const int16_t *x, int64_t dim)
{
    int32_t sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += w[i] * x[i];
    return sum;
}

/* One token through the model: s is layers x dim, x and next dim numbers each. */
static int64_t token_after(const struct aisp_view *in, int64_t before, int64_t t, int64_t *s, int16_t *x)
{
    const int64_t layers = in->param[LAYERS], dim = in->param[DIM];
    const int16_t *w = in->tensor[W], *u = in->tensor[U];
    int16_t *next = x + dim;
    int64_t best = 0, most = INT64_MIN;

    for (int64_t i = 0; i < dim; i++)
        x[i] = (int16_t)(((const int16_t *)in->tensor[E])[before * dim + i] + ((const int16_t *)in->tensor[POSITION])[t * dim + i]);
    for (int64_t l = 0; l < layers; l++, s += dim, w += dim * dim) {
        for (int64_t i = 0; i < dim; i++) {
            s[i] = -floor_of(-s[i], 2) + floor_of(product(w + i * dim, x, dim), 1 << SHIFT);
            next[i] = (int16_t)within(x[i] + within(s[i], BEND), LIMIT);
        }
        memcpy(x, next, (size_t)dim * sizeof *x);
    }
    for (int64_t v = 0; v < in->param[VOCAB]; v++) {
        const int64_t score = product(u + v * dim, x, dim);

        if (score > most) {
            best = v;
            most = score;
        }
    }
    return best;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t cells = in->param[LAYERS] * in->param[DIM];
    int64_t *s = malloc((size_t)cells * sizeof *s), token = 0;
    int16_t *x = malloc(2 * (size_t)in->param[DIM] * sizeof *x);

    (void)out;
    if (!s || !x)
        abort();
    for (int64_t i = 0; i < cells; i++)
        s[i] = ((const int32_t *)in->tensor[STATE])[i];
    for (int64_t t = 0; t < first + n; t++) {
        token = token_after(in, token, t, s, x);
        if (t >= first)
            ((int64_t *)to)[t - first] = token;
    }
    free(s);
    free(x);
}

static const struct aisp_param params[] = {
    { "tokens", 40, 19, 0, 38, 43, 1, AISP_STEPS },
    { "layers", 16, 5, 40, 16, 17, 1 },
    { "dim", 448, 45, 0, 435, 460, 1 },
    { "vocab", 256, 67, 0, 250, 270, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "e", AISP_WEIGHT, AISP_I16, "vocab, most(dim, 1023)", { AISP_INTEGERS, -512, 512 } },
    { "position", AISP_WEIGHT, AISP_I16, "tokens, dim", { AISP_INTEGERS, -256, 256 } },
    { "w", AISP_WEIGHT, AISP_I16, "layers, dim, dim", { AISP_INTEGERS, -512, 512 } },
    { "u", AISP_WEIGHT, AISP_I16, "vocab, dim", { AISP_INTEGERS, -512, 512 } },
    { "state", AISP_IN, AISP_I32, "layers, dim", { AISP_INTEGERS, -512, 512 } },
    { "token", AISP_OUT, AISP_I32, "tokens", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Greedy decoding of one sequence",
    .teaches = "inference: draft and verify; several tokens for one reading of the weights; acceptance",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*layers*dim + 4*tokens",
    /* Not a floor: whole numbers of 16 bits are multiplied at twice the rate of f32. */
    .flops = "~2*tokens*(layers*dim*dim + vocab*dim)",
    .tolerance = { .why = "whole numbers throughout, no sum beyond 32 bits: the tokens are exact" },
    .reference = reference,
};
