/* footprint_json.c - footprints as JSON and back. */
#include "core/footprint.h"

#include "core/fields.h"

#define THIS struct aisp_footprint
static const struct aisp_field fields[] = {
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n_repeats, 0, AISP_FOOTPRINT_REPEATS),
    AISP_FIELD_ARRAY(THIS, AISP_FIELD_INT, peak_bytes),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, loaded_bytes, 1, 0),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n_proofs, 0, AISP_FOOTPRINT_PROOFS),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n_proven, 0, AISP_FOOTPRINT_PROOFS),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, cap_bytes, 1, 0),
};
#undef THIS
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_footprint_to_json(const struct aisp_footprint *footprint)
{
    return aisp_fields_to_object(fields, N_FIELDS, footprint);
}

enum aisp_status aisp_footprint_from_json(const json_t *json, struct aisp_footprint *footprint,
                                          struct aisp_err *err)
{
    *footprint = (struct aisp_footprint){ 0 };
    return aisp_fields_from_object(fields, N_FIELDS, json, "footprint", footprint, err);
}
