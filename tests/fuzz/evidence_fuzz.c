/* evidence_fuzz.c - evidence from a file is data of strangers: it is read whole or refused, and every check survives it. */
#include <stdint.h>
#include <stdlib.h>

#include "checks/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct aisp_findings findings = AISP_FINDINGS_INIT;
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    const struct aisp_grading grading = { .publish = true };
    struct aisp_err err = { 0 };
    json_t *json = json_loadb((const char *)data, n, 0, NULL);

    if (json && aisp_evidence_from_json(json, &ev, &err) == AISP_OK) {
        aisp_examine(&ev, &grading, &findings);
        aisp_findings_release(&findings);
    }
    aisp_evidence_release(&ev);
    json_decref(json);
    return 0;
}
