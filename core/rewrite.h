/* rewrite.h - of the words of outputs that were overwritten while a window ran, between the last two calls of their slot: how many
 * the last call wrote again. Facts; what they mean is for checks/, how they come about for core/run/rewrite.c. */
#ifndef AISP_CORE_REWRITE_H
#define AISP_CORE_REWRITE_H

#include <jansson.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_rewrites {
    int64_t n, n_left;               /* surely overwritten before the last call; of these, left as they were then */
    int32_t pair, window, slot, tensor;    /* of the first that was left */
    int64_t element;
};

json_t *aisp_rewrites_to_json(const struct aisp_rewrites *rewrites);
/* Errors: AISP_E_IO. */
enum aisp_status aisp_rewrites_from_json(const json_t *json, struct aisp_rewrites *rewrites, struct aisp_err *err);

#endif
