/* leaderboard.c - sort results of one goal and rank them by their intervals. */
#include "analysis/leaderboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/sort.h"

/* How many of n ascending numbers are above x. */
static size_t n_above(const double *sorted, size_t n, double x)
{
    size_t lo = 0, hi = n;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (sorted[mid] > x)
            hi = mid;
        else
            lo = mid + 1;
    }
    return n - lo;
}

static int by_rank(const void *a, const void *b)
{
    const struct aisp_board_entry *x = a, *y = b;
    int order;

    if (x->rank != y->rank) /* 0 is last */
        return x->rank - 1 < y->rank - 1 ? -1 : 1;
    if (x->row->ratio != y->row->ratio)
        return x->row->ratio > y->row->ratio ? -1 : 1;
    order = strcmp(x->row->target, y->row->target);
    if (!order)
        order = strcmp(x->row->variant, y->row->variant);
    return order ? order : (x->row->id > y->row->id) - (x->row->id < y->row->id);
}

void aisp_board_init(struct aisp_board *board, const struct aisp_result_row *row, size_t n, const char *goal)
{
    double *lo = aisp_xmalloc((n + 1) * sizeof *lo);
    size_t n_lo = 0;

    *board = (struct aisp_board){ aisp_xcalloc(n + 1, sizeof *board->entry), 0 };
    for (size_t i = 0; i < n; i++) {
        const struct aisp_measured f = aisp_row_ratio(&row[i]);

        if (!aisp_row_is_valid(&row[i]) || !aisp_row_has_goal(&row[i], goal))
            continue;
        board->entry[board->n++].row = &row[i];
        if (aisp_measured_has_interval(&f))
            lo[n_lo++] = f.lo;
    }
    aisp_sort(lo, n_lo);
    for (size_t i = 0; i < board->n; i++) {
        const struct aisp_measured f = aisp_row_ratio(board->entry[i].row);

        if (aisp_measured_has_interval(&f))
            board->entry[i].rank = 1 + n_above(lo, n_lo, f.hi);
    }
    qsort(board->entry, board->n, sizeof *board->entry, by_rank);
    free(lo);
}

void aisp_board_release(struct aisp_board *board)
{
    free(board->entry);
    *board = (struct aisp_board){ 0 };
}
