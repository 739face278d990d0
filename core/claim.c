/* claim.c - a claim as JSON and back. */
#include "core/claim.h"

#include "core/fields.h"

static const struct aisp_field fields[] = {
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_TEXT, verdict, 1, 0),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_REAL, ratio, 1, 0),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, n_pairs, 1, 0),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, attempt, 0, INT64_MAX),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, attempts_before, 0, INT64_MAX),
    AISP_FIELD_AT(struct aisp_claim, AISP_FIELD_INT, chosen_of, 0, INT64_MAX),
};
enum { N_FIELDS = sizeof fields / sizeof *fields };

json_t *aisp_claim_to_json(const struct aisp_claim *claim)
{
    return *claim->verdict || claim->attempt ? aisp_fields_to_object(fields, N_FIELDS, claim)
                                             : NULL;
}

enum aisp_status aisp_claim_from_json(const json_t *json, struct aisp_claim *claim,
                                      struct aisp_err *err)
{
    return json ? aisp_fields_from_object(fields, N_FIELDS, json, "claim", claim, err) : AISP_OK;
}
