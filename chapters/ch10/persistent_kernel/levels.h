/* levels.h - what every rung does with a block; they differ in who does it and how he learns of it. */
#ifndef PERSISTENT_KERNEL_LEVELS_H
#define PERSISTENT_KERNEL_LEVELS_H

#include <stdint.h>

#include <aisp/variant.h>

#include "problem.h"

/* One block at one gain, cut into `parts` ranges of channels. */
struct block { const int16_t *x; int32_t *level; int64_t channels, samples, parts; int32_t gain; };

static inline struct block first_block(const struct aisp_call *call, int64_t parts)
{
    return (struct block){ .x = call->tensor[X],
                           .level = call->tensor[LEVEL],
                           .channels = call->param[CHANNELS],
                           .samples = call->param[SAMPLES],
                           .parts = parts,
                           .gain = GAIN_FIRST };
}

/* Range `part` of a block; returns the sum of its levels. */
static inline int64_t levels(const struct block *b, int64_t part)
{
    const int64_t end = b->channels * (part + 1) / b->parts;
    const int16_t gain = (int16_t)b->gain;
    int64_t all = 0;

    for (int64_t c = b->channels * part / b->parts; c < end; c++) {
        const int16_t *x = b->x + c * b->samples;
        int32_t level = 0;

        for (int64_t s = 0; s < b->samples; s++) {
            const int16_t size = (int16_t)(x[s] < 0 ? -x[s] : x[s]);

            level += (size * gain) >> 8;
        }
        b->level[c] = level;
        all += level;
    }
    return all;
}

static inline int32_t next_gain(const struct block *b, int64_t all)
{
    const int32_t gain = all / (b->channels * b->samples) > WANTED ? b->gain - b->gain / 8 : b->gain + b->gain / 8 + 1;

    return gain < GAIN_LEAST ? GAIN_LEAST : gain > GAIN_MOST ? GAIN_MOST : gain;
}

/* From one block to the next. */
static inline void move_on(struct block *b, int64_t all)
{
    b->gain = next_gain(b, all);
    b->x += b->channels * b->samples;
    b->level += b->channels;
}

static inline int64_t sum_of_levels(const struct block *b)
{
    int64_t all = 0;

    for (int64_t c = 0; c < b->channels; c++)
        all += b->level[c];
    return all;
}

#endif
