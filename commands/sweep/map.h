/* map.h - what a sweep found: at which points a variant is faster than its reference, and where that changes.
 *   {"target", "reference", "device", "fixed": {"batch": 1024},
 *    "axes": [{"name": "n", "values": [64, 128], "is_geometric": true}],
 *    "points": [{"point": "n=64", "at": [64], "winner": "optimized_x" or null, "ties": [names]}],
 *    "series": [{"variant",
 *                "points": [null or {"key", "verdict", "ratio", "lo95", "hi95", "a_ns", "b_ns", "grade", "reason"}],
 *                "crossovers": [{"axis": "n", "along": "k=8" or "", "lo", "hi", "undecided": [values], "faster_above": bool}]}]}
 * Points are in the grid's order, and those of each series with them; null: not measured. A crossover lies between two points
 * of which one is FASTER and the other SLOWER; whatever is between them is neither, and makes it wider. The winner is the
 * FASTER variant of the highest ratio, with those in "ties" whose intervals reach into its own; the reference where all are
 * SLOWER; else null.
 * Not here: which points are asked for (grid.h), drawings (commands/reports/crossing.h). */
#ifndef AISP_COMMANDS_SWEEP_MAP_H
#define AISP_COMMANDS_SWEEP_MAP_H

#include <jansson.h>

#include "commands/command.h"

/* Borrowed: what a run asked for, [{"target", "over": ["n=64:4096:x2"]}]; NULL in a run without a sweep. */
const json_t *aisp_sweeps_of(const json_t *manifest);
/* New reference: one map for each of `sweeps` of which there is a result. A sweep that is no grid (a damaged record) is left
 * out. */
json_t *aisp_maps_of(const json_t *sweeps, const json_t *results);
/* Tables of at most 80 columns with their crossovers and winners. */
void aisp_maps_render(const json_t *maps, const struct aisp_style *style, struct aisp_buf *out);

/* ---- in words, for every form of a report ---- */

/* "n=64 to 4096, 7 points; batch=1024" */
void aisp_map_put_range(const json_t *map, struct aisp_buf *out);
/* "crossover between n=256 and n=1024 (undecided at 512): FASTER above" */
void aisp_map_put_crossover(const json_t *crossover, struct aisp_buf *out);
/* Of a series without one: "no crossover: FASTER at 5 of 7 points, undecided at 2". */
void aisp_map_put_none(const json_t *series, struct aisp_buf *out);
/* "baseline at n=16 to 32; optimized_x or optimized_y at n=64; undecided at n=128" */
void aisp_map_put_winners(const json_t *map, struct aisp_buf *out);

#endif
