/* parts.h - the parts of `bench analyze`, each a JSON value made from rows, and its text made from that.
 * Not here: which rows (filter.h), the command (bench_analyze.c). */
#ifndef AISP_COMMANDS_ANALYZE_PARTS_H
#define AISP_COMMANDS_ANALYZE_PARTS_H

#include "analysis/pareto.h"
#include "commands/analyze/filter.h"

struct aisp_parts_options {
    size_t top;                              /* lines of a list */
    double tolerance;                        /* of figures without interval */
    unsigned axes;                           /* 0: those that were measured for all points */
    bool mixed;                              /* points of different targets in one front */
};

/* [{"goal", "n", "entries": [{"rank", who, "figure", "memory_saving_percent"}]}] */
json_t *aisp_boards_json(struct aisp_selection *selection, const struct aisp_parts_options *options);
/* [{"target", "device" (null where mixed), "axes", "not_measured": {axis: results}, "n", "n_frontier", "n_dominated",
 * "n_unsure", "n_missing", "frontier": [...], and of the others at most `top`: "unsure", "dominated", "missing"}].
 * The reference is a point of its target, too: it is what one has without any of them. */
json_t *aisp_fronts_json(struct aisp_selection *selection, const struct aisp_parts_options *options);
/* [{who, "speed", "memory", "energy", "gains": [axis], "pays": [axis]}]: better than the reference in one, worse in another */
json_t *aisp_tradeoffs_json(struct aisp_selection *selection, const struct aisp_parts_options *options);
/* {"n": {"use": 3, ...}, "list": [{"kind", who, "gain", "text"}]}: at most `top` of a kind */
json_t *aisp_advices_json(struct aisp_selection *selection, const struct aisp_parts_options *options);
/* {"x": {"label", "lo", "hi"}, "y": ..., "columns", "rows", "cells": [{"column", "row", "n", "best"}], "marked": [{"mark", who,
 * "x", "y"}]}, or null where there is no point */
json_t *aisp_scatter_json(struct aisp_selection *selection, const struct aisp_parts_options *options);

void aisp_boards_render(const json_t *boards, const struct aisp_style *style, struct aisp_buf *out);
void aisp_fronts_render(const json_t *fronts, size_t top, const struct aisp_style *style, struct aisp_buf *out);
void aisp_tradeoffs_render(const json_t *tradeoffs, size_t top, const struct aisp_style *style, struct aisp_buf *out);
void aisp_advices_render(const json_t *advices, const struct aisp_style *style, struct aisp_buf *out);
void aisp_scatter_render(const json_t *scatter, const struct aisp_style *style, struct aisp_buf *out);

/* "speed" "memory" "energy" */
extern const char *const aisp_axis_names[AISP_N_AXES];
/* Points of rows, in their order; the caller frees. */
struct aisp_pareto_point *aisp_points_of(const struct aisp_result_row *row, size_t n, double tolerance);

#endif
