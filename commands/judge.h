/* judge.h - what one `bench judge` holds open.
 * Not here: the command and its order (bench_judge.c). */
#ifndef AISP_COMMANDS_JUDGE_H
#define AISP_COMMANDS_JUDGE_H

#include "commands/contest.h"
#include "commands/judge_answer.h"

struct aisp_judge {
    const struct aisp_request *request;
    struct aisp_session_options options;
    struct aisp_catalogue cat;
    struct aisp_entry entry;                 /* the target, its reference, its own variants */
    struct aisp_bench bench;
    struct aisp_builder builder;
    char build[65];                          /* hash of all that an answer depends on beside the candidate */
    const struct aisp_variant_ref *best;     /* the best variant that is known; NULL: best_why */
    char best_why[200];
    bool is_best_sought;
    int64_t seek_ns;                         /* what seeking it took, once: no candidate's time */
    char confirm_why[200];                   /* why the last confirmation has no figure, or "" */
    int n_matches;                           /* so that keys are unique in the run */
};

/* judge_match.c: load, compare with the baseline and the best known, and answer. *answer is the caller's. Errors:
 * AISP_E_INTERRUPTED, AISP_E_IO, and what went wrong before anything was loaded: ours or the machine's, never the candidate's. What
 * ends one comparison later may be a candidate's doing, and is its answer. */
enum aisp_status aisp_judge_match(struct aisp_judge *judge, const struct aisp_candidate *candidate,
                                  const struct aisp_built *built, json_t **answer);
/* Against the baseline only, with secrets of its own: {"verdict", "grade", "ratio", "lo95", "hi95", "n_pairs"}; NULL:
 * judge->confirm_why. */
enum aisp_status aisp_judge_confirm(struct aisp_judge *judge, const struct aisp_candidate *candidate,
                                    const struct aisp_built *built, json_t **confirmed);
/* Fills judge->build. */
enum aisp_status aisp_judge_hash(struct aisp_judge *judge);

#endif
