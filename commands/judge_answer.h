/* judge_answer.h - the answer to one candidate, as one JSON object. docs/guide/judge.md is its reference; whoever changes a
 * field's meaning raises AISP_JUDGE_SCHEMA.
 * What an answer never holds: an expected value, the contents of an input, a secret. The stored evidence of the run has them,
 * for its owner. */
#ifndef AISP_COMMANDS_JUDGE_ANSWER_H
#define AISP_COMMANDS_JUDGE_ANSWER_H

#include <jansson.h>

#include "commands/judge_build.h"
#include "core/evidence.h"

#define AISP_JUDGE_SCHEMA "aisp-judge/1"

struct aisp_answer_facts {
    const struct aisp_candidate *candidate;
    const struct aisp_built *built;
    enum aisp_jail_mode mode;
    const char *target, *device, *size;
    const char *refused;                /* not loadable, though it compiled: why; or NULL */
    const struct aisp_evidence *ev;     /* against the baseline; NULL: it was never started */
    const char *unmeasured;             /* why the comparison did not come to its end; or NULL */
    const struct aisp_problem *problem; /* names of tensors */
    const json_t *result;               /* of ev */
    const char *best_name;              /* the best variant that is known, or NULL */
    const json_t *best;                 /* the result against it, or NULL */
    const char *best_why;               /* why there is none, or "" */
    const char *seed_commitment;
    bool publish;
    int64_t compile_ns, measure_ns, judge_ns;
};

/* New reference. */
json_t *aisp_answer_new(const struct aisp_answer_facts *facts);
/* The reason word of an answer: "" if the candidate was measured. */
const char *aisp_answer_rejected(const json_t *answer);

/* What made the run of a candidate end, as one word: "opened-file", "socket", "hung", ... */
const char *aisp_answer_word(const struct aisp_evidence *ev, const json_t *result);
/* The text with every value that was expected of an output taken out; caller frees. */
char *aisp_answer_withhold(const char *text, const struct aisp_evidence *ev);

#endif
