/* machine.c - the parts put together, as JSON and back. */
#include "core/machine.h"

static void put(json_t *json, const char *key, json_t *part)
{
    if (part)
        json_object_set_new(json, key, part);
}

void aisp_machine_release(struct aisp_machine *machine)
{
    aisp_card_release(&machine->card);
    *machine = (struct aisp_machine){ 0 };
}

json_t *aisp_machine_to_json(const struct aisp_machine *machine)
{
    json_t *json = json_object();

    put(json, "card", aisp_card_to_json(&machine->card));
    put(json, "footing_a", aisp_footing_to_json(&machine->footing[0]));
    put(json, "footing_b", aisp_footing_to_json(&machine->footing[1]));
    put(json, "host_before", aisp_host_to_json(&machine->before));
    put(json, "host_after", aisp_host_to_json(&machine->after));
    put(json, "claim", aisp_claim_to_json(&machine->claim));
    return json;
}

enum aisp_status aisp_machine_from_json(const json_t *json, struct aisp_machine *machine,
                                        struct aisp_err *err)
{
    struct aisp_machine read = { 0 };
    enum aisp_status st;

    AISP_TRY(aisp_card_from_json(json_object_get(json, "card"), &read.card, err));
    AISP_TRY(aisp_footing_from_json(json_object_get(json, "footing_a"), &read.footing[0], err));
    AISP_TRY(aisp_footing_from_json(json_object_get(json, "footing_b"), &read.footing[1], err));
    AISP_TRY(aisp_host_from_json(json_object_get(json, "host_before"), &read.before, err));
    AISP_TRY(aisp_host_from_json(json_object_get(json, "host_after"), &read.after, err));
    AISP_TRY(aisp_claim_from_json(json_object_get(json, "claim"), &read.claim, err));
    *machine = read;
    return AISP_OK;
out:
    aisp_machine_release(&read);
    return st;
}
