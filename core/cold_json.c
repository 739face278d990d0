/* cold_json.c - the counts of cold.h as JSON and back. */
#include "core/cold.h"
#include "core/fields.h"

#define COUNT(a)  ((int)(sizeof(a) / sizeof *(a)))
#define AT(member) AISP_FIELD_AT(struct aisp_cold_facts, AISP_FIELD_INT, member, 0, INT64_MAX)
#define LOOK(where) AT(where.n_looks), AT(where.n_lines), AT(where.n_hot)

static const struct aisp_field fields[] = {
    AT(swept_bytes),     AT(n_swept_out), AT(n_swept_out_hot), AT(n_just_read), AT(n_just_read_hot),
    LOOK(alone[0]), LOOK(alone[1]), LOOK(shared),
};

json_t *aisp_cold_to_json(const struct aisp_cold_facts *facts)
{
    return aisp_fields_to_object(fields, COUNT(fields), facts);
}

enum aisp_status aisp_cold_from_json(const json_t *json, struct aisp_cold_facts *facts, struct aisp_err *err)
{
    return aisp_fields_from_object(fields, COUNT(fields), json, "cold", facts, err);
}
