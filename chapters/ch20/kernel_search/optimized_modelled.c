/* optimized_modelled - setup() counts what each of the 48 members would do for this height and width, and takes the cheapest.
 * Nothing is run to find out: the model is the table of a core with 16 registers, two multiply-adds of four cycles' latency,
 * two loads and six instructions a cycle. Per step of the loop along the filter it takes the scarcest of these, adds what does
 * not fit the registers as a store and a load each, and counts whole tiles, the moved ones at the edges included.
 * Expected: 1.35x over the baseline. At 720 x 1280 it takes 6 rows of 2 vectors: for a vector of y it loads two of x instead
 * of seven for each column of the filter, and has 12 sums, where 8 hide the latency. That is what a long search finds as well;
 * at some sizes, where tiles at the edges decide, it takes 4x3, as fast there. What it cannot know is what the compiler makes
 * of a member: to it the written out loops come out the same, and it leaves them only because they are larger. That is luck:
 * written out, its choice takes 1.8x as long.
 * Costs: a model that has to be believed, code for 48 kernels of which one runs. */
#include <aisp/variant.h>

#include "family.h"
#include "problem.h"

enum { REGISTERS = 16, LATENCY = 4, LOOP_INSTRUCTIONS = 3 };
static const double FMAS_A_CYCLE = 2, LOADS_A_CYCLE = 2, STORES_A_CYCLE = 1, INSTRUCTIONS_A_CYCLE = 6;
static const double LINES_A_LOAD = 1.5; /* of 32 bytes at any multiple of 4: half of them straddle two lines */

EACH_MEMBER(MEMBER)

#define LISTED(rows, vectors, flat) NAMED(rows, vectors, flat),
static const struct member family[] = { EACH_MEMBER(LISTED) };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Cycles of one step: row i of x under the tile, one column of the filter. */
static double step_cycles(const struct member *m, int i)
{
    const int first = i < TAPS ? 0 : i - TAPS + 1, last = i < m->rows ? i : m->rows - 1;
    const int weights = last - first + 1, fmas = weights * m->vectors;
    const int live = m->rows * m->vectors + m->vectors + 1;
    const int spills = live > REGISTERS ? live - REGISTERS : 0;
    const double loads = m->vectors * LINES_A_LOAD + weights + spills;
    const double all = m->vectors + weights + fmas + 2 * spills + (m->flat ? 0 : LOOP_INSTRUCTIONS);
    double cycles = larger(fmas / FMAS_A_CYCLE, loads / LOADS_A_CYCLE);

    cycles = larger(cycles, all / INSTRUCTIONS_A_CYCLE);
    return larger(cycles, spills / STORES_A_CYCLE);
}

/* Cycles of one tile. A row's sums are one chain of additions, which the next tile's work fills up only in part: for half. */
static double tile_cycles(const struct member *m)
{
    const double chain = (double)LATENCY * TAPS * TAPS;
    double cycles = m->rows * m->vectors / STORES_A_CYCLE;

    for (int i = 0; i < m->rows + TAPS - 1; i++)
        cycles += TAPS * step_cycles(m, i);
    return larger(cycles, chain / 2);
}

static int64_t pieces(int64_t whole, int64_t piece)
{
    return (whole + piece - 1) / piece;
}

/* The cheapest member that fits the image; of equals the first one, which is the smaller code. */
static enum aisp_status setup(const struct aisp_setup *setup)
{
    const int64_t height = setup->param[HEIGHT], width = setup->param[WIDTH];
    const struct member *best = &family[0];
    double least = 0;

    for (size_t i = 0; i < sizeof family / sizeof *family; i++) {
        const struct member *m = &family[i];
        const double tiles = (double)(pieces(height, m->rows) * pieces(width, m->vectors * LANES));
        const double cycles = tiles * tile_cycles(m);

        if (m->rows > height || m->vectors * LANES > width || (least > 0 && cycles >= least))
            continue;
        least = cycles;
        best = m;
    }
    *setup->state = (void *)(uintptr_t)best;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct member *chosen = call->state;
    const struct image image = image_of(call);

    if (is_fast())
        filter(&image, chosen);
    else
        filter_portable(&image, 0, image.height, 0, image.width);
    return AISP_OK;
}

AISP_DECLARE("idea: setup counts loads, multiply-adds and registers of each of 48 members and takes the cheapest\n"
             "expect: cycles / 1.35");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
