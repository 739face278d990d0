/* stacking.h - do ideas add up? A variant that combines ideas, measured, against the product of what each gains alone.
 *
 * Which variant combines which is read from names, of the same target: optimized_a_b combines optimized_a and optimized_b when
 * its idea "a_b" is the ideas of two or more other variants, one behind the other, in any order, each once. A part may be
 * shortened to the first words of an idea if only one idea begins so: "online_simd" is "online" and "simd_exp". If a part has
 * no variant of its own ("private_wide" where there is "private" but no "wide"), the combination is kept and named as such, but
 * nothing is predicted. What names do not say can be said: "optimized_x=optimized_a+optimized_b".
 *
 * predicted = product of the parts' ratios; interaction = measured / predicted - 1, with the intervals propagated on the log
 * scale (measured.h). All ratios are against the same reference, on the same hardware, device and size. */
#ifndef AISP_ANALYSIS_STACKING_H
#define AISP_ANALYSIS_STACKING_H

#include "analysis/rows.h"

enum { AISP_STACK_PARTS_MAX = 6 };

enum aisp_interaction {
    AISP_STACK_UNKNOWN,       /* a part or the combination has no ratio or no interval */
    AISP_STACK_AS_PREDICTED,  /* the interval holds 0: no interaction was seen */
    AISP_STACK_SYNERGY,       /* more than the product */
    AISP_STACK_INTERFERENCE,  /* less */
    AISP_STACK_INVALID,       /* the combination was run and found wrong */
};

struct aisp_stack {
    const struct aisp_result_row *whole;
    const struct aisp_result_row *part[AISP_STACK_PARTS_MAX];   /* NULL: that part has no result */
    char name[AISP_STACK_PARTS_MAX][64];                        /* the part's variant */
    size_t n;
    struct aisp_measured predicted, measured;
    struct aisp_measured interaction;                           /* measured / predicted; 1 = none */
    enum aisp_interaction kind;
};
struct aisp_stacks { struct aisp_stack *stack; size_t n, cap; };
#define AISP_STACKS_INIT { 0 }

/* The parts of a combination said by the user. */
struct aisp_combination { char whole[64], part[AISP_STACK_PARTS_MAX][64]; size_t n; };
/* "optimized_x=optimized_a+optimized_b". Errors: AISP_E_USAGE. */
enum aisp_status aisp_combination_parse(struct aisp_combination *combination, const char *text, struct aisp_err *err);

/**
 * All combinations in rows.
 * @row  sorted by aisp_row_group_order, at most one of a variant in a group; invalid ones included, so that what was tried and
 *       found wrong is seen. Borrowed by the result.
 */
void aisp_stacks_find(struct aisp_stacks *stacks, const struct aisp_result_row *row, size_t n,
                      const struct aisp_combination *said, size_t n_said);
void aisp_stacks_release(struct aisp_stacks *stacks);
/* "synergy"; "?" for what is none. */
const char *aisp_interaction_name(enum aisp_interaction kind);

#endif
