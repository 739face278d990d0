/* ranges.c - draw them, and how much they miss. */
#include "core/run/ranges.h"

/* Rows of part i of n_ranges. */
static int64_t room_of(int64_t rows, int64_t n_ranges, int64_t i)
{
    return rows * (i + 1) / n_ranges - rows * i / n_ranges;
}

static int64_t length_in(int64_t room, int64_t n, int64_t n_ranges)
{
    return n / n_ranges < room ? n / n_ranges : room;
}

static int64_t ranges_of(int64_t n)
{
    return n < 1 ? 1 : n < AISP_MAX_RANGES ? n : AISP_MAX_RANGES;
}

int aisp_ranges_draw(struct aisp_dice *dice, int64_t rows, int64_t n,
                     struct aisp_range range[AISP_MAX_RANGES])
{
    const int64_t n_ranges = ranges_of(n);

    if (n >= rows) {
        range[0] = (struct aisp_range){ 0, rows };
        return 1;
    }
    for (int64_t i = 0; i < n_ranges; i++) {
        const int64_t low = rows * i / n_ranges, room = room_of(rows, n_ranges, i),
                      length = length_in(room, n < 1 ? 1 : n, n_ranges);
        const int64_t begin =
            low - (length - 1) + (int64_t)aisp_dice_below(dice, (uint64_t)(room + length - 1));
        const int64_t end = begin + length < low + room ? begin + length : low + room;

        range[i].first = begin > low ? begin : low;
        range[i].n = end - range[i].first;
    }
    return (int)n_ranges;
}

double aisp_ranges_miss_block(int64_t rows, int64_t n, int64_t block)
{
    const int64_t n_ranges = ranges_of(n);
    double most = 0;

    if (n >= rows)
        return 0;
    for (int64_t i = 0; i < n_ranges; i++) {
        const int64_t room = room_of(rows, n_ranges, i),
                      length = length_in(room, n < 1 ? 1 : n, n_ranges);
        const double hit = (double)(length + block - 1) / (double)(room + length - 1);

        if (1 - hit > most)
            most = 1 - hit;
    }
    return most;
}

double aisp_ranges_miss(int64_t rows, int64_t n)
{
    return aisp_ranges_miss_block(rows, n, 1);
}
