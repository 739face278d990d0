/* kept_json.c - kept outputs as JSON and back. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/fields.h"
#include "core/kept.h"

#define THIS struct aisp_kept_output
static const struct aisp_field fields[] = {
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, pair, 0, INT32_MAX),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, side, 0, 1),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, slot, 0, 4095),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, tensor, 0, 63),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, first_row, 0, INT64_MAX),
    AISP_FIELD_AT(THIS, AISP_FIELD_INT, n_rows, 1, INT64_MAX),
};
#undef THIS
enum { N_FIELDS = sizeof fields / sizeof *fields };

void aisp_kept_release(struct aisp_kept *kept)
{
    for (size_t i = 0; i < kept->n; i++) {
        free(kept->output[i].bytes);
        free(kept->output[i].made);
    }
    free(kept->output);
    *kept = (struct aisp_kept){ 0 };
}

json_t *aisp_kept_to_json(const struct aisp_kept *kept)
{
    json_t *list = json_array();

    for (size_t i = 0; i < kept->n; i++) {
        const struct aisp_kept_output *o = &kept->output[i];
        json_t *row = aisp_fields_to_object(fields, N_FIELDS, o), *made = json_array();

        for (int64_t k = 0; k < o->n_made; k++)
            json_array_append_new(made, json_integer(o->made[k]));
        json_object_set_new(row, "bytes", json_string(o->bytes));
        json_object_set_new(row, "made", made);
        json_array_append_new(list, row);
    }
    return list;
}

static enum aisp_status read_output(const json_t *row, struct aisp_kept_output *o,
                                    struct aisp_err *err)
{
    const json_t *bytes = json_object_get(row, "bytes"), *made = json_object_get(row, "made"),
                 *number;
    const enum aisp_status st = aisp_fields_from_object(fields, N_FIELDS, row, "kept", o, err);
    size_t i;

    if (st)
        return st;
    if (!json_is_string(bytes) || json_string_length(bytes) > 2 * AISP_KEPT_ROW_BYTES ||
        json_string_length(bytes) % 2)
        return aisp_fail(err, AISP_E_IO, "kept.bytes: of the wrong type or length");
    if (!json_is_array(made) || json_array_size(made) > AISP_KEPT_MADE)
        return aisp_fail(err, AISP_E_IO, "kept.made: of the wrong type or length");
    o->bytes = aisp_xstrdup(json_string_value(bytes));
    o->made = aisp_xcalloc(json_array_size(made) + 1, sizeof *o->made);
    o->n_made = (int64_t)json_array_size(made);
    json_array_foreach(made, i, number) {
        if (!json_is_integer(number))
            return aisp_fail(err, AISP_E_IO, "kept.made[%zu]: of the wrong type", i);
        o->made[i] = json_integer_value(number);
    }
    return AISP_OK;
}

enum aisp_status aisp_kept_from_json(const json_t *json, struct aisp_kept *kept,
                                     struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    const json_t *row;
    size_t i;

    if (json && !json_is_array(json))
        return aisp_fail(err, AISP_E_IO, "kept: of the wrong type");
    json_array_foreach(json, i, row) {
        struct aisp_kept_output *o = aisp_grow(&kept->output, &kept->n, &kept->cap, sizeof *o);

        *o = (struct aisp_kept_output){ 0 };
        AISP_TRY(read_output(row, o, err));
        kept->n_bytes += (int64_t)strlen(o->bytes) / 2;
    }
out:
    return st;
}
