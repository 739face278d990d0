/* figure.h - what of a result can be set beside another run's: its ratio, what it is the ratio of, and whether it may be used.
 *
 *   target, variant, reference, device, size      who it is; also key and hardware
 *   goal, params, threads, problem_sha256, reference_sha256      what has to be the same, or two ratios are of two things
 *   hash_of                                       what the hashes are of: "code" (core/object_code.h: the same wherever it was
 *                                                 built), or in records of older versions "file"
 *   ratio, lo95, hi95, n_pairs, verdict, grade    what was measured; null: withheld
 *   floor, band                                   log ratios, of that run
 *   variant_sha256, elapsed_s                     for the reader
 *   trouble                                       "" or why the ratio is not to be used
 *   is_invalid                                    withheld or in quarantine
 *
 * It is a JSON object because expectations files hold the same fields (expectation.h).
 * Not here: what is concluded from two of them (compare_runs.h). */
#ifndef AISP_ANALYSIS_FIGURE_H
#define AISP_ANALYSIS_FIGURE_H

#include <jansson.h>
#include <stdbool.h>

#include "analysis/change.h"
#include "core/base/buf.h"

/* New reference. `evidence` is looked at only where aisp_figure_needs_evidence(), and may be empty or NULL: then the hashes are
 * null; `quarantine` says why it is in, or NULL; `hardware` may be "". */
json_t *aisp_figure_new(const json_t *result, const json_t *evidence, const char *hardware, const char *quarantine);

/* A result of an older version, which does not hold the hashes itself. */
bool aisp_figure_needs_evidence(const json_t *result);

/* Of the same variant, reference, device and size of the same target? */
bool aisp_figure_is_same(const json_t *a, const json_t *b);
/* The one of `figures` that is, at the same parameters if there is such a one, else the first that is no point of a sweep;
 * borrowed, NULL if there is none. */
const json_t *aisp_figure_find(const json_t *figures, const json_t *of);

/* What both have to share and do not, as a clause: "parameter n is 4096, was 2048". False: they can be compared. */
bool aisp_figure_differs(const json_t *before, const json_t *after, struct aisp_buf *why);

/* NaN where there is none. */
struct aisp_ratio aisp_figure_ratio(const json_t *figure);

/* A number that JSON can hold, else null; new reference. */
json_t *aisp_figure_json(double x);
/* "ch07" of "ch07:transpose", "labs/matmul" of "labs/matmul:gemm"; caller frees. */
char *aisp_figure_chapter(const char *target);

#endif
