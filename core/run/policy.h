/* policy.h - the defences of the protocol, by name. In the product every one is on and cannot be turned off. Programs of
 * the tests are made of the same objects and one more (tests/switches.c), to show for each cheat that the named defence catches
 * it alone and that without it the cheat gets through. */
#ifndef AISP_RUN_POLICY_H
#define AISP_RUN_POLICY_H

#include <stdbool.h>
#include <stdint.h>

enum aisp_defence {
    AISP_FRESH_CONTENTS,     /* new secret contents before each window */
    AISP_POISON_OUTPUTS,
    AISP_COMPARE_OUTPUTS,    /* against the truth */
    AISP_READ_ONLY_INPUTS,   /* mapped and sealed so in the worker */
    AISP_INPUT_HASH,         /* inputs unchanged after the window */
    AISP_GUARDS,             /* canaries and guard pages */
    AISP_LATE_LOOK,          /* outputs unchanged between the stop and the next window */
    AISP_IDLE_ACCOUNTING,    /* no CPU time of the worker outside windows */
    AISP_SLOT_SECRECY,       /* slot order only in go; repeated-slot control */
    AISP_CLOCKS_AGREE,       /* worker's clock against the supervisor's window */
    AISP_THREAD_COUNT,       /* threads only where declared */
    AISP_CONFINEMENT,        /* seccomp, limits, namespaces */
    AISP_ROOFLINE_FLOOR,     /* nothing is faster than physics */
    AISP_RANK_SPAN,          /* the time ends with the last rank, not with the first; the spans of all are kept */
    AISP_RANK_LEDGER,        /* what each rank used and sent in a window */
    AISP_PROCESS_FACTS,      /* mappings, files, code and cores of a worker seen from outside */
    AISP_SCHEDULER_LOOK,     /* what workers told the scheduler is read from outside */
    AISP_PLANTED_CONTENTS,   /* in verification: contents that ask a question, among the ordinary ones */
    AISP_SAME_AGAIN,         /* the same contents twice, with other poison */
    AISP_FLOAT_MODE,         /* the floating-point mode that a variant leaves behind */
    AISP_EMISSION_RULES,     /* a server's tokens: each once, in order, after its request, and all of them */
    AISP_MEMORY_CAP,         /* a memory figure is the kernel's peak, proven by running again under it */
    AISP_FOREIGN_OUTPUT,     /* a slot that a window does not call keeps its poison */
    AISP_DEVICE_RECORDER,    /* each side once more, alone, with the device's recorder on */
    AISP_LATE_CONTENTS,      /* of a held window: contents are made when its calls are queued already */
    AISP_LAST_POISON,        /* of a held window: one secret output is poisoned again right before the release */
    AISP_COLD_CACHE,         /* where inputs are not meant to lie in a device's cache, it is emptied before each window */
    AISP_COLD_LOOK,          /* and looked into */
    AISP_IDLE_CARD,          /* right after done a card answers as one that is idle */
    AISP_NEW_AT_GO,          /* some elements of an input are made anew between ready and go */
    AISP_N_DEFENCES
};
const char *aisp_defence_name(enum aisp_defence defence);

struct aisp_policy { uint32_t off; };        /* bit i = defence i is off; honoured only where there are switches */

/* A constant, decided when a program is linked: false, and true where tests/switches.c is among the objects. */
extern const bool aisp_defences_have_switches;

static inline bool aisp_defends(const struct aisp_policy *policy, enum aisp_defence defence)
{
    return !aisp_defences_have_switches || !policy || !(policy->off >> defence & 1);
}

#endif
