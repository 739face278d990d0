/* triage.h - what of a run to look at first, and what to type next.
 * Not here: the command (commands/gate/bench_triage.c). */
#ifndef AISP_ANALYSIS_TRIAGE_H
#define AISP_ANALYSIS_TRIAGE_H

#include "analysis/figure.h"

struct aisp_triage_spec {
    const char *run;
    const json_t *results, *figures;         /* in the same order */
    const json_t *changes;                   /* rows of aisp_compare_runs() against earlier runs, each with "run": which one */
    size_t n_most;                           /* of unsure rows, and of changes that are no regressions, so many are listed */
    double time_limit_s;                     /* that the run had for the pairs of one comparison; 0: not known */
    const char *options;                     /* what each command line ends with: " --artifacts-dir X", or "" */
};

/* {"items": [{"kind", "target", "variant", "device", "size", "text", "next"}], "left_out": {"unsure": n, "change": n}}.
 * Worst first:
 *   invalid       withheld, or in quarantine: the finding
 *   regression    credibly slower than in the run before
 *   slower        slower than what it is compared with
 *   unsure        with what it would take; what more pairs do not cure first, then what takes fewest
 *   improvement, change    the largest other changes against the run before, credible or not
 * Within a kind the largest first. `next` is a whole command line. New reference. */
json_t *aisp_triage(const struct aisp_triage_spec *spec);

/* The command line that measures a result again, as it was: on its device, in its scope, at its size, with its threads. "aisp bench
 * run -t ch07:transpose --variant optimized_tiled", or a comparison with another reference than the baseline. */
void aisp_triage_put_run(struct aisp_buf *out, const json_t *result);
/* " --device cuda", or nothing for the CPU. */
void aisp_triage_put_device(struct aisp_buf *out, const json_t *row);

/* As one word of a shell, quoted where that is needed. */
void aisp_triage_put_word(struct aisp_buf *out, const char *word);

#endif
