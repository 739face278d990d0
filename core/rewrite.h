/* rewrite.h - of the words of outputs that were overwritten while a window ran, between the last two calls of their slot: how many
 * the last call wrote again. Facts; what they mean is for checks/, how they come about for core/run/rewrite.c. */
#ifndef AISP_CORE_REWRITE_H
#define AISP_CORE_REWRITE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_rewrites {
    int64_t n, n_left;               /* surely overwritten before the last call; of these, left as they were then */
    int64_t n_asked, n_clear;        /* windows in which a word was meant to be one of the n; of these, in which nothing but a gap too
                                        short to be met kept it from that */
    int32_t pair, window, slot, tensor;    /* of the first that was left */
    int64_t element;
};

/* Does either side have any? */
bool aisp_rewrites_are_there(const struct aisp_rewrites rewrites[2]);
json_t *aisp_rewrites_to_json(const struct aisp_rewrites *rewrites);
/* Errors: AISP_E_IO. */
enum aisp_status aisp_rewrites_from_json(const json_t *json, struct aisp_rewrites *rewrites, struct aisp_err *err);

#endif
