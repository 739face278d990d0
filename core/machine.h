/* machine.h - what evidence holds of the machine beside its environment: the card, the host's
 * cores and container, how each side's workers stood on it; and what the record claims.
 * All of it is empty by default, and absent in JSON then. */
#ifndef AISP_CORE_MACHINE_H
#define AISP_CORE_MACHINE_H

#include "core/card.h"
#include "core/claim.h"
#include "core/footing.h"
#include "core/host.h"

struct aisp_machine {
    struct aisp_card card;
    struct aisp_footing footing[2]; /* by side */
    struct aisp_host before, after;
    struct aisp_claim claim;
};

void aisp_machine_release(struct aisp_machine *machine);
json_t *aisp_machine_to_json(const struct aisp_machine *machine);
/* `json` NULL: a record from before these facts were kept. */
enum aisp_status aisp_machine_from_json(const json_t *json, struct aisp_machine *machine,
                                        struct aisp_err *err);

#endif
