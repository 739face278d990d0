/* pieces.h - many sweeps between two barriers: a piece of the cells and a margin, which loses a cell on either side with
 * each sweep, go through all of them in two small buffers of the thread's own. */
#ifndef GRID_SYNC_PIECES_H
#define GRID_SYNC_PIECES_H

#include <aisp/variant.h>

#include "kit/pool.h"
#include "problem.h"
#include "sweep.h"

/* Two buffers of a piece and its margins, 33 KiB, and more sweeps at once would be more margin than cells. */
enum { PIECE = 4096, MOST_AT_ONCE = 32, ROOM = PIECE + 2 * MOST_AT_ONCE };

typedef void sweeper(const float *from, float *to, int64_t n, struct ends is_end);

/* `four`, where there is one: four sweeps in one, for cells that are further than that from the ends of the line. */
struct team { struct pool *pool; sweeper *sweep, *four; float *room; /* 2 * ROOM for each thread */ };

struct pass { const struct team *team; const float *from; float *to; int64_t cells, sweeps; };

/* Cells [begin, end) after pass->sweeps sweeps. What a sweep writes begins at the beginning of a line, wherever it lies in the
 * piece: a store across two lines costs as much as several. */
static inline void piece(const struct pass *pass, float *room, int64_t begin, int64_t end)
{
    const float *from = pass->from;
    int64_t at = 0, left = pass->sweeps; /* the cell that `from` begins with; sweeps to do */

    for (int turn = 0; left > 0; turn = !turn) {
        const int is_four = pass->team->four && left >= 4 && begin >= left && end + left <= pass->cells;
        int64_t b, e;
        float *to;

        left -= is_four ? 4 : 1;
        b = begin - left < 0 ? 0 : begin - left;
        e = end + left > pass->cells ? pass->cells : end + left;
        to = left ? room + turn * ROOM : pass->to + b;
        (is_four ? pass->team->four : pass->team->sweep)(from + (b - at), to, e - b, (struct ends){ b == 0, e == pass->cells });
        from = to;
        at = b;
    }
}

static void pass_work(void *with, int who)
{
    const struct pass *pass = with;
    const int64_t parts = pass->team->pool->n + 1, last = pass->cells * (who + 1) / parts;
    float *room = pass->team->room + (int64_t)who * 2 * ROOM;

    for (int64_t begin = pass->cells * who / parts; begin < last; begin += PIECE)
        piece(pass, room, begin, begin + PIECE < last ? begin + PIECE : last);
}

static size_t pieces_workspace(const int64_t *param)
{
    return param[STEPS] > MOST_AT_ONCE ? (size_t)param[CELLS] * sizeof(float) : 0;
}

static void pieces_teardown(void *state)
{
    struct team *team = state;

    if (!team)
        return;
    pool_free(team->pool);
    free(team->room);
    free(team);
}

static inline enum aisp_status pieces_setup(const struct aisp_setup *s, sweeper *sweep, sweeper *four)
{
    struct team *team = calloc(1, sizeof *team);

    if (!team)
        return AISP_E_NO_MEMORY;
    team->sweep = sweep;
    team->four = four;
    team->room = aligned_alloc(64, (size_t)s->n_threads * 2 * ROOM * sizeof *team->room);
    team->pool = team->room ? pool_new(s->n_threads - 1) : NULL;
    if (!team->pool) {
        pieces_teardown(team);
        return AISP_E_UNAVAILABLE;
    }
    *s->state = team;
    return AISP_OK;
}

static enum aisp_status pieces_run(const struct aisp_call *call)
{
    struct team *team = call->state;
    float *to[] = { call->tensor[Y], call->workspace };
    struct pass pass = { .team = team, .from = call->tensor[X], .cells = call->param[CELLS] };
    const int64_t steps = call->param[STEPS], passes = (steps + MOST_AT_ONCE - 1) / MOST_AT_ONCE;

    for (int64_t left = passes - 1; left >= 0; left--, pass.from = pass.to) {
        pass.to = to[left % 2];
        pass.sweeps = steps * (passes - left) / passes - steps * (passes - 1 - left) / passes;
        pool_start(team->pool, pass_work, &pass);
        pass_work(&pass, team->pool->n);
        pool_wait(team->pool);
    }
    return AISP_OK;
}

#endif
