/* instance.h - a problem at given parameter values: every extent, byte count and bound worked out and checked once. */
#ifndef AISP_CORE_INSTANCE_H
#define AISP_CORE_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <aisp/problem.h>

#include "core/base/err.h"
#include "core/base/rng.h"
#include "core/ranks.h"

enum { AISP_MAX_PARAMS = 12, AISP_MAX_DECLARED = 16, AISP_MAX_TENSORS = 64, AISP_MAX_DIMS = 8 };

enum aisp_size { AISP_SIZE_DEFAULT, AISP_SIZE_QUICK, AISP_SIZE_LARGE };

struct aisp_extent {
    int n_dims;
    int64_t dim[AISP_MAX_DIMS];
    int64_t rows, row_elements, elements;   /* rows = dim[0]; elements = rows * row_elements */
    size_t bytes;
};

/* Of a problem that serves, as its expressions say; arrivals and emissions are indices of tensors. */
struct aisp_served_numbers {
    int64_t requests, per_second, tokens, ttft_slo_ns, tpot_slo_ns;
    int arrivals, emissions;
};

struct aisp_instance {
    const struct aisp_problem *problem;     /* borrowed; with ranks: that of core/ranks.h, with the tensors of all */
    int n_params, n_tensors;
    int64_t param[AISP_MAX_PARAMS];
    struct aisp_extent extent[AISP_MAX_TENSORS];
    /* As the problem's expressions say. units is 0 if the problem counts none; length, of the tolerance, is at least 1. */
    int64_t bytes, flops, units, length;
    bool flops_is_floor;
    int n_ranks, n_declared;                /* tensors of one rank; n_tensors = n_ranks * n_declared */
    int64_t n_messages, message_bytes;      /* a rank's in one call; 0: not declared */
    struct aisp_served_numbers serving;     /* requests is 0 if calls are no traces */
};

size_t aisp_dtype_bytes(enum aisp_dtype dtype);
bool aisp_dtype_is_float(enum aisp_dtype dtype);
double aisp_dtype_roundoff(enum aisp_dtype dtype);     /* unit roundoff u; 0 for integers */
const char *aisp_dtype_name(enum aisp_dtype dtype);    /* "f32" */
const char *aisp_role_name(enum aisp_role role);       /* "in" */

/* Everything that can be wrong with a declaration, whatever the parameters: missing fields, wrong ABI, expressions that fail
 * at the quick, default or large values or at any mixture of lowest and highest, an input without fill, a fill that its dtype
 * cannot hold, both or neither of reference and accept.
 * Errors: AISP_E_REFUSED with the field's name. */
enum aisp_status aisp_problem_check(const struct aisp_problem *problem, struct aisp_err *err);

/* All that a problem declares of a parameter lies in steps of this. Variants may count on it: blocks of 32 columns. */
int64_t aisp_param_step(const struct aisp_param *p);
int64_t aisp_param_next(const struct aisp_param *p, int64_t value);   /* `value`, or the next above it that lies in the steps */

/* At a named size, with overrides "n=256" (n_set of them) put over it. Errors: AISP_E_USAGE (unknown name, value below 1,
 * absurd or between the parameter's steps, overflow). The range of the holdout values is no bound. */
enum aisp_status aisp_instance_init(struct aisp_instance *inst, const struct aisp_problem *problem, enum aisp_size size,
                                    const char *const *set, int n_set, struct aisp_err *err);
/* At the lowest holdout value of each parameter. */
enum aisp_status aisp_instance_lowest(struct aisp_instance *inst, const struct aisp_problem *problem, struct aisp_err *err);
/* At drawn holdout values: each parameter from its [low, high] by step; with `about`, one value for each parameter, from a range
 * that lies to it as that one lies to the default; NULL: the range itself. At most max_bytes in all tensors. Draws that are too
 * large are drawn again; if nothing else fits, drawn parameters are halved towards `low`. Errors: AISP_E_USAGE (even the
 * lowest values need more than max_bytes; values about which the problem has no tensors; a problem that aisp_problem_check()
 * would have refused). */
enum aisp_status aisp_instance_draw(struct aisp_instance *inst, const struct aisp_problem *problem, const int64_t *about,
                                    struct aisp_dice *dice, size_t max_bytes, struct aisp_err *err);

size_t aisp_instance_total_bytes(const struct aisp_instance *inst);   /* of all tensors; below 2^63 */
size_t aisp_instance_slot_bytes(const struct aisp_instance *inst);    /* all but weights, of one call slot */
size_t aisp_instance_weight_bytes(const struct aisp_instance *inst);
bool aisp_role_is_output(enum aisp_role role);                        /* OUT, INOUT */
bool aisp_role_is_slot(enum aisp_role role);                          /* all but WEIGHT */
bool aisp_role_is_filled(enum aisp_role role);                        /* IN, INOUT, FILE: with new contents, call by call */
bool aisp_role_is_written(enum aisp_role role);                       /* OUT, INOUT, EMISSIONS: by the worker */

#endif
