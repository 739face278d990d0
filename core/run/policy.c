/* policy.c - the names of the defences, as the matrix of proofs prints them. */
#include "core/run/policy.h"

static const char *const names[AISP_N_DEFENCES] = {
    [AISP_FRESH_CONTENTS] = "fresh contents",
    [AISP_POISON_OUTPUTS] = "poisoned outputs",
    [AISP_COMPARE_OUTPUTS] = "outputs compared with the truth",
    [AISP_READ_ONLY_INPUTS] = "read-only inputs",
    [AISP_INPUT_HASH] = "inputs hashed",
    [AISP_GUARDS] = "guards and canaries",
    [AISP_LATE_LOOK] = "late look",
    [AISP_IDLE_ACCOUNTING] = "idle accounting",
    [AISP_SLOT_SECRECY] = "secret slot order",
    [AISP_CLOCKS_AGREE] = "clocks agree",
    [AISP_THREAD_COUNT] = "thread count",
    [AISP_CONFINEMENT] = "confinement",
    [AISP_ROOFLINE_FLOOR] = "roofline floor",
};

const char *aisp_defence_name(enum aisp_defence defence)
{
    return (unsigned)defence < AISP_N_DEFENCES ? names[defence] : "?";
}
