/* claim.c - a claim as JSON and back. */
#include "core/claim.h"

#include <stdio.h>

#include "core/fields.h"

static const struct aisp_field fields[] = {
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_TEXT, verdict, 1, 0),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_REAL, ratio, 1, 0),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, n_pairs, 1, 0),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, attempt, 0, INT64_MAX),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, attempts_before, 0, INT64_MAX),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, chosen_of, 0, INT64_MAX),
};
/* Where there is any. */
static const struct aisp_field unfinished[] = { AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_TEXT, unfinished, 1, 0) };
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_claim_to_json(const struct aisp_claim *claim)
{
    json_t *json = *claim->verdict || claim->attempt || *claim->unfinished ? aisp_fields_to_object(fields, N_FIELDS, claim) : NULL;
    json_t *more = *claim->unfinished ? aisp_fields_to_object(unfinished, 1, claim) : NULL;

    json_object_update(json, more);
    json_decref(more);
    return json;
}

enum aisp_status aisp_claim_from_json(const json_t *json, struct aisp_claim *claim,
                                      struct aisp_err *err)
{
    enum aisp_status st = json ? aisp_fields_from_object(fields, N_FIELDS, json, "claim", claim, err) : AISP_OK;

    if (!st && json_object_get(json, "unfinished"))
        st = aisp_fields_from_object(unfinished, 1, json, "claim", claim, err);
    return st;
}

void aisp_claim_unfinished(struct aisp_claim *claim, const char *what, const struct aisp_err *why)
{
    if (!*claim->unfinished)
        snprintf(claim->unfinished, sizeof claim->unfinished, "%s: %.120s", what, why->text);
}
