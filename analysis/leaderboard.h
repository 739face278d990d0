/* leaderboard.h - the results of one goal in order, and who stands where.
 * Rank: 1 + the number of results that are surely better, their whole interval above this one's. Results that cannot be told
 * apart share a rank. Without an interval there is no rank (0); such results come last.
 * Not here: which results take part (the newest of each variant on one machine: the caller's filter). */
#ifndef AISP_ANALYSIS_LEADERBOARD_H
#define AISP_ANALYSIS_LEADERBOARD_H

#include "analysis/rows.h"

struct aisp_board_entry { const struct aisp_result_row *row; size_t rank; };
struct aisp_board { struct aisp_board_entry *entry; size_t n; };

/* Of the rows that are valid and have this goal; sorted by rank, then ratio, then name. The rows are borrowed. */
void aisp_board_init(struct aisp_board *board, const struct aisp_result_row *row, size_t n, const char *goal);
void aisp_board_release(struct aisp_board *board);

#endif
