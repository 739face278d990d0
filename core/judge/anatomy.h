/* anatomy.h - what is wrong with a wrong output, as a whole?
 * Not here: that it is wrong (judge.h), who is blamed for what (checks/).
 * Two ways to know. Of the output itself: which slices are wrong, and what stands in them. And by asking the problem's own
 * reference again about other inputs (a mask of ones, the last half of a cache, pruned weights, rounded inputs): if the output
 * is the right answer to that, then that is what was computed. Nothing is said where more than one kind fits. */
#ifndef AISP_JUDGE_ANATOMY_H
#define AISP_JUDGE_ANATOMY_H

#include "core/judge/judge.h"
#include "core/workload.h"

struct aisp_dissecting {
    const struct aisp_instance *inst;
    struct aisp_view view;               /* inputs as the call saw them */
    int tensor;                          /* a whole output */
    const void *got;
    const struct aisp_philox *poison;    /* or NULL */
    int64_t budget_ns;                   /* for asking the reference; at least one question of each kind is tried within it */
};

/* Fills *anatomy; kind is NONE where nothing (or too much) fits. The problem judges by reference, not by accept(). */
void aisp_dissect(const struct aisp_dissecting *what, struct aisp_anatomy *anatomy);

/* Subnormal elements of a tensor's bytes; 0 for integers. */
int64_t aisp_count_subnormals(const void *base, enum aisp_dtype dtype, int64_t n);

#endif
