/* event_dependencies - a graph of small tasks: tile t of layer l is the mean of two tiles of the layer before, tile t itself
 * and tile t + offset[l][t] (or the last one), offsets being 0 to 3. Layer 0 is x, the last layer is y. Which task waits for
 * which is known from the offsets of the call, and not before.
 * In the plain form a layer is done, all meet at a barrier, the next layer begins. But a tile needs two tiles and not a
 * layer: with a count of what each task waits for, it can begin when those two are there, while they are still near the
 * core. Values are between 0.5 and 1.5 at random, so that a wrong partner, or a tile that was read too early, is far outside
 * the tolerance.
 * The truth takes another way: what each tile of x weighs in a tile of y, which are sums of powers of two and exact. */
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

/* weight[j]: the share of tile j of x in tile t of the last layer. */
static void weigh(const struct aisp_view *in, int64_t t, double *weight, double *before)
{
    const int64_t layers = in->param[LAYERS], tiles = in->param[TILES];
    const int32_t *offset = in->tensor[OFFSET];

    memset(weight, 0, (size_t)tiles * sizeof *weight);
    weight[t] = 1;
    for (int64_t l = layers - 1; l >= 0; l--) {
        memset(before, 0, (size_t)tiles * sizeof *before);
        for (int64_t i = 0; i < tiles; i++) {
            const int64_t other = i + offset[l * tiles + i];

            before[i] += weight[i] / 2;
            before[other < tiles ? other : tiles - 1] += weight[i] / 2;
        }
        memcpy(weight, before, (size_t)tiles * sizeof *weight);
    }
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t tiles = in->param[TILES], width = in->param[WIDTH];
    const float *x = in->tensor[X];
    double *weight = malloc(2 * (size_t)tiles * sizeof *weight), *y = to;

    (void)out;
    if (!weight)
        abort();
    memset(y, 0, (size_t)(n * width) * sizeof *y);
    for (int64_t t = first; t < first + n; t++, y += width) {
        weigh(in, t, weight, weight + tiles);
        for (int64_t j = 0; j < tiles; j++)
            for (int64_t i = 0; i < width && weight[j] > 0; i++)
                y[i] += weight[j] * (double)x[j * width + i];
    }
    free(weight);
}

static const struct aisp_param params[] = {
    { "layers", 8, 4, 0, 7, 9, 1, AISP_STEPS },
    { "tiles", 1024, 11, 0, 980, 1120, 1 },
    { "width", 2048, 37, 0, 1950, 2200, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "tiles, width", { AISP_UNIFORM, 0.5, 1.5 } },
    { "offset", AISP_IN, AISP_I32, "layers, tiles", { AISP_INTEGERS, 0, REACH + 1 } },
    { "y", AISP_OUT, AISP_F32, "tiles, width", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "A graph of tasks that wait for two others each",
    .teaches = "dependencies: a barrier for each layer, counters for each task, work that follows its data",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*tiles*width + 4*layers*tiles",
    .flops = "~2*layers*tiles*width",
    .tolerance = { .ulps = 2, .length = "layers", .why = "a rounding a layer, of either sign, of means of positive numbers" },
    .reference = reference,
};
