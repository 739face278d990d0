/* anatomy_inside.h - what anatomy.c (the output itself) and anatomy_asked.c (the reference asked again) share. */
#ifndef AISP_JUDGE_ANATOMY_INSIDE_H
#define AISP_JUDGE_ANATOMY_INSIDE_H

#include "core/judge/anatomy.h"

struct aisp_body {
    const struct aisp_dissecting *what;
    const struct aisp_problem *problem;
    const struct aisp_extent *extent;
    enum aisp_dtype dtype;
    int64_t n;
    void *truth;           /* n doubles or int64_t */
    double *r, *y;         /* truth and output as doubles */
    bool *wrong;           /* by element */
    bool *poisoned;        /* still the poison */
    double rms;            /* of the truth */
    double relative;
    int64_t n_wrong, end_ns;
};

/* Is `truth` (as the problem writes it) what was given, everywhere? */
bool aisp_body_is(const struct aisp_body *body, const void *truth);
/* rms(y - truth) / rms of the true truth; NaN counts as infinite. */
double aisp_body_error(const struct aisp_body *body, const void *truth);

/* Kinds found so far: one of each kind, the first that fits of it. */
struct aisp_guesses {
    struct aisp_anatomy of[AISP_N_ANATOMY]; /* kind NONE: not this one */
};
void aisp_guess(struct aisp_guesses *guesses, const struct aisp_anatomy *one);

/* Ask the reference about other inputs. */
void aisp_ask_again(const struct aisp_body *body, struct aisp_guesses *guesses);

#endif
