/* footing_json.c - a footing as JSON and back. */
#include "core/fields.h"
#include "core/footing.h"

#define INT(name) AISP_FIELD_AT(struct aisp_footing, AISP_FIELD_INT, name, 1, 0)

static const struct aisp_field fields[] = {
    INT(n_looks),        INT(tracer_pid),
    INT(nice_low),       INT(nice_high),
    INT(nice_given),     INT(policy),
    INT(realtime),       INT(io_class),
    INT(data_bytes),     INT(resident_bytes),
    INT(returned_bytes), INT(peak_bytes),
    INT(node),           AISP_FIELD_ARRAY(struct aisp_footing, AISP_FIELD_INT, node_bytes),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };
/* Records from before these were counted apart have both in node_bytes. */
static const struct aisp_field later[] = { AISP_FIELD_ARRAY(struct aisp_footing, AISP_FIELD_INT, harness_node_bytes) };
enum { N_LATER = sizeof later / sizeof *later };

json_t *aisp_footing_to_json(const struct aisp_footing *f)
{
    json_t *json = f->n_looks ? aisp_fields_to_object(fields, N_FIELDS, f) : NULL;

    if (json)
        json_object_set_new(json, "harness", aisp_fields_to_object(later, N_LATER, f));
    return json;
}

enum aisp_status aisp_footing_from_json(const json_t *json, struct aisp_footing *footing,
                                        struct aisp_err *err)
{
    const json_t *harness = json_object_get(json, "harness");
    enum aisp_status st = json ? aisp_fields_from_object(fields, N_FIELDS, json, "footing", footing, err) : AISP_OK;

    if (!st && harness)
        st = aisp_fields_from_object(later, N_LATER, harness, "footing.harness", footing, err);
    return st;
}
