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
#undef THIS
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_rewrites_to_json(const struct aisp_rewrites *rewrites)
{
    return aisp_fields_to_object(fields, N_FIELDS, rewrites);
}

enum aisp_status aisp_rewrites_from_json(const json_t *json, struct aisp_rewrites *rewrites, struct aisp_err *err)
{
    *rewrites = (struct aisp_rewrites){ 0 };
    return aisp_fields_from_object(fields, N_FIELDS, json, "rewrites", rewrites, err);
}
