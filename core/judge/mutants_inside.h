/* mutants_inside.h - one right answer, and what is done to it. Shared by mutants.c and mutations.c.
 * */
#ifndef AISP_JUDGE_MUTANTS_INSIDE_H
#define AISP_JUDGE_MUTANTS_INSIDE_H

#include "core/judge/judge.h"

struct aisp_scene {
    const struct aisp_instance *inst;
    struct aisp_view view;
    struct aisp_philox poison; /* of unwritten elements; another one for each try */
    struct aisp_dice dice;
    const void
        *right[AISP_MAX_TENSORS]; /* by tensor; NULL but for outputs, NULL if none is known */
    const void *stale[AISP_MAX_TENSORS]; /* right for other contents; NULL if there are none */
    /* The truth as doubles or int64_t; where only a right output is known, its values. NULL with
     * `right`. */
    const void *truth[AISP_MAX_TENSORS];
};

/* Change `output`, a copy of the right one of tensor t. False: not applicable to it. */
struct aisp_mutation {
    const char *name;
    bool (*apply)(struct aisp_scene *scene, int t, void *output);
    bool moves;       /* moves or repeats right elements: may be right where many outputs are */
    bool must_differ; /* no difference to the right answer is a miss, not bad luck */
};
extern const struct aisp_mutation aisp_mutations[]; /* ends with a NULL name */

/* Outputs that need no thought. `output` is not initialised. */
struct aisp_trivial {
    const char *name;
    bool (*make)(struct aisp_scene *scene, int t, void *output);
};
extern const struct aisp_trivial aisp_trivials[]; /* ends with a NULL name */
/* The bytes of input `from`, repeated. */
bool aisp_trivial_input(struct aisp_scene *scene, int t, int from, void *output);

#endif
