/* expectation.h - what a team expects of a chapter on one kind of machine, and whether a result still meets it.
 *
 * expectations_<hardware key>.json lies beside a chapter's targets and is kept with the source:
 *   {"aisp_expectations": 1, "hardware": KEY, "chapter": "ch07", "rows": [ROW...]}
 * A ROW holds what a figure holds (figure.h: who it is, what has to be the same, ratio with its interval, floor and band), and
 *   noise        {"sd_log", "sd_log_high", "n_runs"} of that row's history when it was written (noise.h), or null: not learned
 *   provenance   {"run", "commit", "dirty", "date", "host", "aisp", "grade"}; what is unknown is null
 * It is data that people edit and merge: read whole or refused, with the field that is wrong.
 * Not here: the arithmetic of a change (change.h), which folder (commands/gate).
 * Why the last that was written and not the best ever seen: of twenty runs of the same code the best is luck, and a gate that
 * holds the next run against luck fails. */
#ifndef AISP_ANALYSIS_EXPECTATION_H
#define AISP_ANALYSIS_EXPECTATION_H

#include "analysis/figure.h"

#define AISP_EXPECTATIONS_VERSION 1

/* ---- the file ---- */

/**
 * Read and check.
 * @name  what errors call it
 * Errors: AISP_E_USAGE "NAME: line 7: ..." for what is no JSON, "NAME: rows[3].ratio ..." for a field; *out stays NULL.
 */
enum aisp_status aisp_expectations_parse(const char *text, size_t n, const char *name, json_t **out, struct aisp_err *err);
/* The file of this chapter and machine. Errors: AISP_E_NOT_FOUND (no such file), AISP_E_IO, AISP_E_USAGE as above, and when it
 * says that it is of another machine or chapter. */
enum aisp_status aisp_expectations_read(const char *path, const char *hardware, const char *chapter, json_t **out,
                                        struct aisp_err *err);
/* Whole or not at all. Errors: AISP_E_IO. */
enum aisp_status aisp_expectations_write(const char *path, const json_t *expectations, struct aisp_err *err);
/* Without rows; new reference. */
json_t *aisp_expectations_new(const char *hardware, const char *chapter);
/* A figure as a row; new reference in *out. Errors: AISP_E_USAGE, what its record lacks; *out stays NULL. */
enum aisp_status aisp_expectation_new(const json_t *figure, const struct aisp_noise *noise, const json_t *provenance,
                                      json_t **out, struct aisp_err *err);
/* Put a row (stolen) in its place: those of the same figure are replaced. The row that was there, or NULL; new reference. */
json_t *aisp_expectations_put(json_t *expectations, json_t *row);

/* ---- the gate ---- */

struct aisp_expectation_rules {
    double alpha;            /* over all rows together */
    size_t n_rows;           /* that have a figure and an expectation of the same thing */
    double mde;              /* log ratio: the drop that the gate has to be able to see */
    double min_speedup;      /* 0: none */
};

/* Does the pair count to n_rows? */
bool aisp_expectation_is_judged(const json_t *figure, const json_t *row);

/**
 * Judge one.
 * @figure  NULL: this run has none        @row  NULL: nothing is expected of it; not both
 * @noise   of the row's history here; where it is not learned, that of the file is used
 *
 *   {"target", "variant", "reference", "device", "size", "goal", "elapsed_s",
 *    "outcome"   "PASS", "FAIL", "UNSURE", "INVALID"
 *    "state"     "met", "improved", "regression", "below minimum", "invalid", "no figure", "no expectation", "not measured",
 *                "changed", "blind": which of the rules below
 *    "reason"    "" for PASS, else what, and what to do
 *    "expected", "measured"   {"ratio", "lo95", "hi95", "n_pairs"}, expected also "run" and "commit"; or null
 *    "change", "noise"        as in compare_runs.h; noise also "from": "history", "expectations" or "assumed"}
 *
 * INVALID  the result is withheld.
 * FAIL     its interval lies credibly below what is expected (change.h: SLOWER), or below min_speedup.
 * UNSURE   nothing can be said: no figure, no expectation, of another thing (problem, baseline, parameters, threads, goal), or
 *          the gate is blind: a drop of `mde` would be missed more often than in 5 of 100 comparisons like this one.
 * PASS     all others.
 */
json_t *aisp_expectation_judge(const json_t *figure, const json_t *row, const struct aisp_noise *noise,
                               const struct aisp_expectation_rules *rules);

#endif
