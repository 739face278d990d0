/* answers.h - how long a card took to answer the judge right after done, of one side's timed windows: a copy and two tiny kernels. A
 * card that is idle does at once, but for its turn from one context to another; one that works still does so when that is over.
 * Facts; what they mean is for checks/. Kept as counts by length: medians are asked for, and windows are many. */
#ifndef AISP_CORE_ANSWERS_H
#define AISP_CORE_ANSWERS_H

#include <jansson.h>
#include <stdint.h>

#include "core/base/err.h"

enum { AISP_ANSWER_STEPS = 4, AISP_ANSWER_LENGTHS = 17 * AISP_ANSWER_STEPS, AISP_ANSWER_LEAST_NS = 16000 };

/* of[i]: from 16 us * 2^(i/4) on, up to the next; shorter ones count with the first, longer ones with the last. */
struct aisp_answers {
    int64_t n, of[AISP_ANSWER_LENGTHS];
};

void aisp_answers_add(struct aisp_answers *answers, int64_t ns);
/* A share of them, in percent, was shorter than *below_ns, and the rest no shorter than *from_ns: the ends of the length in which
 * that quantile lies. None: 0. */
void aisp_answers_quantile(const struct aisp_answers *answers, int percent, int64_t *from_ns, int64_t *below_ns);

json_t *aisp_answers_to_json(const struct aisp_answers *answers);
/* Errors: AISP_E_IO. */
enum aisp_status aisp_answers_from_json(const json_t *json, struct aisp_answers *answers, struct aisp_err *err);

#endif
