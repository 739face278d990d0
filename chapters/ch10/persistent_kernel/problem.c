/* persistent_kernel - levels of a bank of channels under a gain that follows what was heard: block after block arrives, a
 * level of each channel is taken, and their mean moves the gain with which the next block is heard. A block can therefore
 * not begin before all of the one before it has ended, and each is small (1 or 2 us): what it costs to hand it to
 * workers is what is timed.
 *   level[b][c] = sum over samples of (|x[b][c][s]| * gain_b) >> 8,    gain_0 = 256,
 *   gain_(b+1)  = gain_b less an eighth where the mean level of a sample is above 256, else an eighth and one more; in 16..1024
 * Whole numbers: one block with a wrong gain, or a channel that was left to another block, is seen in every level behind it. */
#include <aisp/problem.h>

#include "problem.h"

static int64_t heard(int16_t x, int64_t gain)
{
    const int64_t size = x < 0 ? -(int64_t)x : x;

    return size * gain / 256;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t channels = in->param[CHANNELS], samples = in->param[SAMPLES];
    const int16_t *x = in->tensor[X];
    int64_t *y = to, gain = GAIN_FIRST;

    (void)out;
    for (int64_t b = 0; b < first + n; b++) {
        int64_t all = 0;

        for (int64_t c = 0; c < channels; c++) {
            int64_t level = 0;

            for (int64_t s = 0; s < samples; s++)
                level += heard(x[(b * channels + c) * samples + s], gain);
            all += level;
            if (b >= first)
                *y++ = level;
        }
        gain = all / (channels * samples) > WANTED ? gain - gain / 8 : gain + gain / 8 + 1;
        gain = gain < GAIN_LEAST ? GAIN_LEAST : gain > GAIN_MOST ? GAIN_MOST : gain;
    }
}

static const struct aisp_param params[] = {
    { "blocks", 64, 5, 0, 60, 72, 1 },
    { "channels", 32, 7, 0, 29, 36, 1 },
    { "samples", 256, 37, 0, 240, 290, 1 },
    { 0 },
};

/* A level is at most 8000 a sample: the sum of a channel fits 32 bits. */
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_I16, "blocks, channels, most(samples, 268435)", { AISP_INTEGERS, -2000, 2000 } },
    { "level", AISP_OUT, AISP_I32, "blocks, channels", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Levels of blocks that wait for each other",
    .teaches = "persistent workers: a thread for each batch, a standing pool, a caller who works, one wake a call",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "2*blocks*channels*samples + 4*blocks*channels",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "whole numbers" },
    .reference = reference,
};
