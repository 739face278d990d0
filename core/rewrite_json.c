/* rewrite_json.c - rewrites as JSON and back. */
#include "core/fields.h"
#include "core/rewrite.h"

#define THIS struct aisp_rewrites
static const struct aisp_field fields[] = {
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n, 0, INT64_MAX),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n_left, 0, INT64_MAX),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, pair, 1, 0),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, window, 1, 0),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, slot, 1, 0),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, tensor, 1, 0),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, element, 1, 0),
};
/* Older records have none. */
static const struct aisp_field more_fields[] = {
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n_asked, 0, INT64_MAX),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n_clear, 0, INT64_MAX),
};
#undef THIS
enum { N_FIELDS = sizeof fields / sizeof *fields, N_MORE_FIELDS = sizeof more_fields / sizeof *more_fields };

bool aisp_rewrites_are_there(const struct aisp_rewrites rewrites[2])
{
    return rewrites[0].n || rewrites[0].n_asked || rewrites[1].n || rewrites[1].n_asked;
}

json_t *aisp_rewrites_to_json(const struct aisp_rewrites *rewrites)
{
    json_t *json = aisp_fields_to_object(fields, N_FIELDS, rewrites), *more = aisp_fields_to_object(more_fields, N_MORE_FIELDS, rewrites);

    json_object_update(json, more);
    json_decref(more);
    return json;
}

enum aisp_status aisp_rewrites_from_json(const json_t *json, struct aisp_rewrites *rewrites, struct aisp_err *err)
{
    enum aisp_status st;

    *rewrites = (struct aisp_rewrites){ 0 };
    AISP_TRY(aisp_fields_from_object(fields, N_FIELDS, json, "rewrites", rewrites, err));
    if (json_object_get(json, more_fields[0].name))
        AISP_TRY(aisp_fields_from_object(more_fields, N_MORE_FIELDS, json, "rewrites", rewrites, err));
out:
    return st;
}
