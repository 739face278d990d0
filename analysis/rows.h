/* rows.h - results to analyse, as one array: walked once out of the store, each text kept once.
 * Not here: the walk itself (store/query.h), any analysis. The analyses take arrays of rows, so that they need no store.
 * Equal texts of one struct aisp_rows are the same pointer: rows are grouped by comparing pointers. */
#ifndef AISP_ANALYSIS_ROWS_H
#define AISP_ANALYSIS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/measured.h"
#include "store/query.h"

struct aisp_rows {
    struct aisp_result_row *row;
    size_t n, cap;
    /* What was seen and left out, each result once, for the first reason that applies. */
    size_t n_seen, n_invalid, n_other_size, n_other_reference, n_no_ratio;
    const char *other_size, *other_reference;     /* one that was left out, as an example; or NULL */
    struct aisp_text_pool *pool;
};
#define AISP_ROWS_INIT { 0 }

/* Beside the store's own filter. */
struct aisp_rows_want {
    struct aisp_filter filter;
    const char *size, *reference;                 /* NULL: any */
    bool invalid;                                 /* results that are invalid or have no ratio as well */
};

/* Errors: those of the walk; what was added until then stays. */
enum aisp_status aisp_rows_collect(struct aisp_rows *rows, struct aisp_store *store, const struct aisp_rows_want *want,
                                   struct aisp_err *err);
/* One row more, copied. */
void aisp_rows_add(struct aisp_rows *rows, const struct aisp_result_row *row);
const char *aisp_rows_text(struct aisp_rows *rows, const char *text);
void aisp_rows_release(struct aisp_rows *rows);

/* ---- what a row says ---- */

enum { AISP_ROW_A, AISP_ROW_B };                  /* reference, variant */

/* Its ratio stands: it is not invalid, and something was compared. */
bool aisp_row_is_valid(const struct aisp_result_row *row);
bool aisp_row_has_goal(const struct aisp_result_row *row, const char *goal);
struct aisp_measured aisp_row_ratio(const struct aisp_result_row *row);
/* Reference / variant of the median time, of peak memory, of energy; with an interval where it is the goal's own figure. */
struct aisp_measured aisp_row_speed(const struct aisp_result_row *row);
struct aisp_measured aisp_row_memory(const struct aisp_result_row *row);
struct aisp_measured aisp_row_energy(const struct aisp_result_row *row);
/* Units a second where the problem counts units, else calls a second; NaN where not measured. */
double aisp_row_rate(const struct aisp_result_row *row, int side);
bool aisp_row_counts_units(const struct aisp_result_row *row);
/* Mean watts over a call; joules of a unit (or call). NaN where not measured. */
double aisp_row_watts(const struct aisp_result_row *row, int side);
double aisp_row_joules(const struct aisp_result_row *row, int side);
/* Can the two be set beside each other: same hardware, target, device, size and reference? */
bool aisp_row_same_group(const struct aisp_result_row *a, const struct aisp_result_row *b);
/* Order by hardware, target, device, size, reference; 0 exactly if aisp_row_same_group. */
int aisp_row_group_order(const struct aisp_result_row *a, const struct aisp_result_row *b);
/* "tiled" of "optimized_tiled", "onednn" of "peer_onednn", "optimized" of "optimized". */
const char *aisp_row_idea(const char *variant);
bool aisp_row_is_peer(const struct aisp_result_row *row);

#endif
