/* judge.h - is an output right? The truth comes from the problem, never from the baseline.
 * Not here: when to look (core/run), where the bytes lie (the backend). All pure: bytes in, answer out. */
#ifndef AISP_JUDGE_H
#define AISP_JUDGE_H

#include <stdbool.h>

#include "core/base/buf.h"
#include "core/instance.h"

enum aisp_wrong {
    AISP_RIGHT,
    AISP_WRONG_VALUE,       /* outside the tolerance */
    AISP_WRONG_NORM,        /* each element inside, the whole outside */
    AISP_WRONG_UNWRITTEN,   /* the poison is still there */
    AISP_WRONG_STALE,       /* the right answer to earlier contents of the same slot */
    AISP_WRONG_CONSTANT,    /* one value everywhere, where the truth varies */
    AISP_WRONG_NAN,         /* NaN where the truth has none */
    AISP_WRONG_INF,
    AISP_WRONG_REJECTED,    /* the problem's accept() said no */
};
const char *aisp_wrong_name(enum aisp_wrong kind);     /* "value outside tolerance" */

struct aisp_comparison {
    enum aisp_wrong kind;                    /* of the first wrong element, or of the whole */
    int64_t n_compared, n_wrong, n_nan, n_inf, n_unwritten;
    int64_t first_wrong;                     /* element index in the whole tensor; -1 if none */
    double seen, expected, allowed;          /* there; allowed is the absolute error allowed */
    double worst;                            /* largest |error| / allowed over all elements; 0 for exact and right */
    double norm_error;                       /* relative Frobenius */
    double max_abs_error;
    char why[160];                           /* accept()'s words */
};

/* What is compared: rows [first_row, first_row + n_rows) of output tensor `tensor`; `got` points at the first of them. */
struct aisp_question {
    const struct aisp_instance *inst;
    struct aisp_view view;                   /* inputs as the call saw them */
    int tensor;
    int64_t first_row, n_rows;
    const void *got;
    const struct aisp_philox *poison;        /* key the tensor was poisoned with, or NULL */
    double least_rms;                        /* beside `truth`: of aisp_judge_measure_rows(); or 0 */
    const void *truth;                       /* the rows as the reference writes them, worked out elsewhere; or NULL: asked here */
    const void *const *all_out;              /* for accept(): pointers to all whole outputs; else NULL */
};

/* Fewer elements than this say nothing of the size that is usual around them. */
enum { AISP_JUDGE_LEAST_ELEMENTS = 16 };
/* The rows whose rms is the measure for rows [*first, *first + *n) of a tensor: those, and neighbours where they are too few. */
void aisp_judge_measure_rows(const struct aisp_extent *extent, int64_t *first, int64_t *n);

/* Compare with the truth. Uses `scratch` for it (grown as needed, reused from call to call). */
void aisp_judge(const struct aisp_question *q, struct aisp_buf *scratch, struct aisp_comparison *answer);

/* The element-wise bound that the declared tolerance and the dtype's cap give, relative to the magnitude. */
double aisp_tolerance_relative(const struct aisp_instance *inst, enum aisp_dtype dtype);

/* Proof that a problem can tell: trivial outputs and automatic mutants of a right output, at `inst`'s size.
 * Trivial: zeros, ones, the truth's mean everywhere, an input's bytes, a shuffled right answer.
 * Mutants: tail skipped, a row dropped, two elements swapped, one element off by 4x the tolerance's bound, sums rounded to
 * bf16 (floats), sign of one block, a stale block (other contents' answer), off-by-one row shift, half of the elements, ... */
struct aisp_mutation_score {
    int n_mutants, n_found, n_trivial, n_trivial_found;
    char missed[256];                        /* names of those not found, comma separated */
};
enum aisp_status aisp_mutation_score(const struct aisp_instance *inst, const struct aisp_key *key,
                                     struct aisp_mutation_score *score, struct aisp_err *err);
/* Errors: AISP_E_USAGE (inst is too large for this), AISP_E_REFUSED (the truth, rounded to the output's type, is itself outside
 * of the tolerance, or is not the same when asked in parts). */

/* Does the truth depend on every input? Else whoever ignores one is right. Without `reference` there is no answer: AISP_OK. Errors: AISP_E_REFUSED with the tensor that does not count. */
enum aisp_status aisp_every_input_counts(const struct aisp_instance *inst, const struct aisp_key *key,
                                         struct aisp_err *err);

/* Where many outputs are right (accept), a right one has to be given: `right` has one pointer for each output, whole, right
 * for the contents in `view`. What merely moves elements may be right there too, so those mutants are left out. Without it
 * aisp_mutation_score() asks accept() about the trivial outputs alone, and n_mutants is 0. */
enum aisp_status aisp_mutation_score_given(const struct aisp_instance *inst, const struct aisp_view *view,
                                           const void *const *right, const struct aisp_key *key,
                                           struct aisp_mutation_score *score, struct aisp_err *err);

#endif
