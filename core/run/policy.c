/* policy.c - that the defences have no switches, and their names, as the matrix of proofs prints them. */
#include "core/run/policy.h"

__attribute__((weak)) const bool aisp_defences_have_switches = false;

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
    [AISP_FOREIGN_OUTPUT] = "uncalled slots",
    [AISP_CONFINEMENT] = "confinement",
    [AISP_ROOFLINE_FLOOR] = "roofline floor",
    [AISP_EMISSION_RULES] = "rules of emissions",
    [AISP_MEMORY_CAP] = "memory proven under its cap",
    [AISP_SCHEDULER_LOOK] = "priorities looked at",
    [AISP_PROCESS_FACTS] = "processes seen from outside",
    [AISP_RANK_SPAN] = "last rank's end",
    [AISP_RANK_LEDGER] = "rank ledger",
    [AISP_PLANTED_CONTENTS] = "planted contents",
    [AISP_SAME_AGAIN] = "same contents again",
    [AISP_FLOAT_MODE] = "floating-point mode",
    [AISP_DEVICE_RECORDER] = "device recorder",
    [AISP_LATE_CONTENTS] = "contents after queueing",
    [AISP_LAST_POISON] = "poison before the release",
    [AISP_COLD_CACHE] = "cache emptied",
    [AISP_COLD_LOOK] = "lines read against the clock",
    [AISP_IDLE_CARD] = "card idle after done",
    [AISP_NEW_AT_GO] = "elements new at go",
};

const char *aisp_defence_name(enum aisp_defence defence)
{
    return (unsigned)defence < AISP_N_DEFENCES ? names[defence] : "?";
}
