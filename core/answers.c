/* answers.c - lengths counted by steps of a fourth root of two. */
#include "core/answers.h"

#include <math.h>

#include "core/fields.h"

static int64_t begin_of(int length)
{
    return (int64_t)(AISP_ANSWER_LEAST_NS * exp2((double)length / AISP_ANSWER_STEPS));
}

void aisp_answers_add(struct aisp_answers *answers, int64_t ns)
{
    int length = 0;

    while (length + 1 < AISP_ANSWER_LENGTHS && ns >= begin_of(length + 1))
        length++;
    answers->n++;
    answers->of[length]++;
}

void aisp_answers_quantile(const struct aisp_answers *answers, int percent, int64_t *from_ns, int64_t *below_ns)
{
    double n = 0, before = 0;
    int length = 0;

    *from_ns = *below_ns = 0;
    for (int i = 0; i < AISP_ANSWER_LENGTHS; i++)
        n += answers->of[i] > 0 ? (double)answers->of[i] : 0;
    if (n <= 0)
        return;
    for (; length + 1 < AISP_ANSWER_LENGTHS; length++) {
        before += answers->of[length] > 0 ? (double)answers->of[length] : 0;
        if (before >= n * percent / 100)
            break;
    }
    *from_ns = length ? begin_of(length) : 0;
    *below_ns = begin_of(length + 1);
}

#define THIS struct aisp_answers
static const struct aisp_field fields[] = {
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n, 0, INT64_MAX),
    AISP_FIELD_ARRAY(THIS, AISP_FIELD_INT, of),
};
#undef THIS
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_answers_to_json(const struct aisp_answers *answers)
{
    return aisp_fields_to_object(fields, N_FIELDS, answers);
}

enum aisp_status aisp_answers_from_json(const json_t *json, struct aisp_answers *answers, struct aisp_err *err)
{
    *answers = (struct aisp_answers){ 0 };
    return aisp_fields_from_object(fields, N_FIELDS, json, "answers", answers, err);
}
