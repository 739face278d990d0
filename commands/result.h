/* result.h - one comparison as one JSON object: what is stored, printed, reported and returned by every door.
 *
 *   key            "ch07.transpose.optimized_tiled": unique in its run, safe as a file name
 *   target, variant, reference, device, size
 *   params         {"rows": 2048, ...}: the size that was timed
 *   point          "rows=2048": of a sweep's result, which of its points this is; else it is not there
 *   goal           "speed", "memory", "throughput", "latency"
 *   idea, expect   as the variant declares them
 *   median_ns, p5_ns, p95_ns, p99_ns   {"a": reference, "b": variant}: ns of a call over all timed windows
 *   n_windows      {"a", "b"}                 n_pairs   complete pairs behind the ratio
 *   ratio, lo95, hi95   time of the reference / time of the variant; > 1 is faster
 *   verdict        "FASTER" "SLOWER" "SAME" "UNSURE"; "INVALID": withheld; "VERIFIED": outputs only were asked for
 *   reason         why UNSURE, else ""        pairs_wanted   about how many would decide it, 0: more pairs would not
 *   placement      {"lo", "hi", "measured", "of"}: least and largest ratio over so many builds with their code moved; null
 *                  without an audit
 *   per_second     units a second {"unit", "a", "b"} where the problem counts units, else null
 *   roof_percent   {"bytes", "flops", "bound"}: b's rate of the declared work against this machine's measured peaks; bound
 *                  names the larger one; null without a calibration
 *   goal_figure    null for speed. latency: {"figure", p99, its 95 % interval and the median, for servers of TTFT and TPOT, and
 *                  goodput}; throughput: {"rate", ...} over the run; memory: {"bytes", "proven", ...} (result_goal.c)
 *   grade          "publishable" "development" "invalid"
 *   reasons        texts of the findings that made the grade
 *   findings       [{"check", "issue", "severity": "note|development|violation", "side": "a|b|null", "text"}]
 *   slack_ns       {"a", "b"}: median of supervisor's window - worker's own time
 *   scope          "call" or "kernel": what the times span
 *   slack95_ns     the 95th percentile of the same
 *   hidden_ns      that without what a window of no calls has too (measured in the kernel scope): what a window may hide
 *   gap_ns         {"a", "b"}: median of arm -> go
 *   verified       {"a", "b"}: {"full", "full_right", "sampled", "sampled_right", "elements", "holdout", "holdout_right",
 *                  "worst"}; a has "in" where outputs only are verified and an earlier result of the run has its comparison: which
 *   profile        with --profile minimal {"a", "b"}: CPU time, faults, switches, peak memory; else null
 *   calls, slots, threads, cache_level, elapsed_s, seed_commitment
 *   band, floor    of the verdict, log ratios
 *   not_measured   "no-memory", "usage", "unavailable": why nothing could be tried; else it is not there
 *   code           {"problem", "a", "b"}: SHA-256 of what each object loads (core/object_code.h): the same code built elsewhere
 *                  has the same; null where the file is not there any more, or another one
 *   attempt        which measured attempt at this code it is, on this target and device and at these parameters, by the store it is
 *                  recorded in; absent where nothing was recorded
 *
 * What is withheld, not measured or not a number is null. INVALID: ratio, interval and the times of b are null. */
#ifndef AISP_COMMANDS_RESULT_H
#define AISP_COMMANDS_RESULT_H

#include <jansson.h>

#include "checks/check.h"
#include "commands/command.h"
#include "core/run/run.h"

struct aisp_result_spec {
    const struct aisp_problem *problem;      /* NULL: for units and goal, not known */
    const struct aisp_instance *inst;
    const struct aisp_evidence *ev;
    struct aisp_grading grading;
    bool verify_only, profile;
    const char *key, *seed_commitment;
    const char *point;                       /* of a sweep; or NULL */
};

/* Examine the evidence and put all of it into words. New reference. */
json_t *aisp_result_new(const struct aisp_result_spec *spec);
/* What could not even be tried, and why. The variant is "-" where it is the whole target. */
struct aisp_refusal {
    const char *key, *target, *variant, *reference, *device;
    enum aisp_scope scope;
    enum aisp_status status;                 /* AISP_E_REFUSED: what was asked for is at fault, and the result is INVALID. Any other:
                                                the machine or the question, and it is UNSURE, accused of nothing */
    const char *why;
};
json_t *aisp_result_refused(const struct aisp_refusal *refusal);
/* Which point of a sweep a result is of, where nothing was measured that could say so. */
void aisp_result_set_point(json_t *result, const char *point, const struct aisp_instance *inst, const char *reference);
bool aisp_result_is_invalid(const json_t *result);

/* "ch07:transpose" + "optimized_tiled" (+ other reference) -> key; caller frees. */
char *aisp_result_key(const char *target, const char *variant, const char *reference);

/* The goal's own figure; null for speed. `units` of a call, 0: a call is one. And as lines below a row. */
json_t *aisp_result_goal(const struct aisp_evidence *ev, int64_t units, bool is_withheld);
void aisp_result_goal_render(const json_t *row, struct aisp_buf *out);

/* Rows of results as a table of at most 80 columns, then what was found, one line each. */
void aisp_results_render(const json_t *results, const struct aisp_style *style, struct aisp_buf *out);
/* The same of a run with sweeps: their maps (commands/sweep/map.h) stand for the rows of their points. */
void aisp_results_render_maps(const json_t *results, const json_t *maps, const struct aisp_style *style, struct aisp_buf *out);
const char *aisp_grade_short(const char *grade);     /* in 7 letters */
/* Three digits and a unit, "8.21 ms"; "-" for what is no number. */
void aisp_result_put_time(struct aisp_buf *out, double ns);

#endif
