/* workload_json.c - the facts about the work as JSON and back. Written only where there are some. */
#include "core/workload.h"

#include <stdio.h>
#include <string.h>

#include "core/fields.h"
#include "core/instance.h"

#define COUNT(a)           ((int)(sizeof(a) / sizeof *(a)))
#define TEXT(member)       AISP_FIELD_AT(THIS, AISP_FIELD_TEXT, member, 1, 0)
#define INT(member)        AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, 1, 0)
#define IN(member, lo, hi) AISP_FIELD_AT(THIS, AISP_FIELD_INT, member, lo, hi)
#define REAL(member)       AISP_FIELD_AT(THIS, AISP_FIELD_REAL, member, 1, 0)
#define BOOL(member)       AISP_FIELD_AT(THIS, AISP_FIELD_BOOL, member, 1, 0)

#define THIS struct aisp_anatomy
static const struct aisp_field anatomy_fields[] = {
    IN(kind, 0, AISP_N_ANATOMY - 1),
    IN(tensor, 0, AISP_MAX_TENSORS - 1),
    INT(axis),
    IN(meaning, AISP_PLAIN, AISP_RESOLUTION),
    IN(content, AISP_SLICE_OTHER, AISP_SLICE_COPIES),
    BOOL(is_tail),
    INT(plant),
    INT(from),
    INT(n_slices),
    INT(of),
    INT(n_wrong),
    INT(n_elements),
    REAL(error),
    REAL(error_left),
    INT(n_kinds),
    TEXT(name),
    TEXT(where),
};
#undef THIS
#define THIS struct aisp_workload
static const struct aisp_field fields[] = {
    INT(overlap.train),    INT(overlap.test),        INT(overlap.n_train),    INT(overlap.n_test),
    INT(overlap.n_shared), INT(overlap.first_train), INT(overlap.first_test), INT(n_second),
    INT(n_second_differ),  INT(second_element),      REAL(second_first),      REAL(second_other),
};
#undef THIS

/* What each side has, beside its anatomy. */
struct side {
    struct aisp_repeats repeats;
    struct aisp_float_mode mode;
    struct aisp_subnormals subnormals;
    int64_t n_planted;
};
#define THIS struct side
static const struct aisp_field side_fields[] = {
    INT(repeats.n),          INT(repeats.n_differ), INT(repeats.n_differ_wrong),
    INT(mode.at_load),       INT(mode.after),       INT(subnormals.n_in),
    INT(subnormals.n_truth), INT(subnormals.n_out), INT(n_planted),
};
#undef THIS

bool aisp_workload_is_empty(const struct aisp_workload *w)
{
    static const struct aisp_workload empty;

    return !memcmp(w, &empty, sizeof empty);
}

json_t *aisp_workload_to_json(const struct aisp_workload *w)
{
    json_t *json = aisp_fields_to_object(fields, COUNT(fields), w), *sides = json_array();

    for (int i = 0; i < 2; i++) {
        const struct side side = { w->repeats[i], w->mode[i], w->subnormals[i], w->n_planted[i] };
        json_t *one = aisp_fields_to_object(side_fields, COUNT(side_fields), &side);

        json_object_set_new(
            one, "anatomy",
            aisp_fields_to_object(anatomy_fields, COUNT(anatomy_fields), &w->anatomy[i]));
        json_array_append_new(sides, one);
    }
    json_object_set_new(json, "sides", sides);
    return json;
}

enum aisp_status aisp_workload_from_json(const json_t *json, struct aisp_workload *w,
                                         struct aisp_err *err)
{
    enum aisp_status st;
    char path[64];

    memset(w, 0, sizeof *w);
    AISP_TRY(aisp_fields_from_object(fields, COUNT(fields), json, "workload", w, err));
    for (int i = 0; i < 2; i++) {
        const json_t *one = json_array_get(json_object_get(json, "sides"), (size_t)i);
        struct side side = { 0 };

        snprintf(path, sizeof path, "workload.sides[%d]", i);
        AISP_TRY(aisp_fields_from_object(side_fields, COUNT(side_fields), one, path, &side, err));
        AISP_TRY(aisp_fields_from_object(anatomy_fields, COUNT(anatomy_fields),
                                         json_object_get(one, "anatomy"), path, &w->anatomy[i],
                                         err));
        w->repeats[i] = side.repeats;
        w->mode[i] = side.mode;
        w->subnormals[i] = side.subnormals;
        w->n_planted[i] = side.n_planted;
    }
out:
    return st;
}
