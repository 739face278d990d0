/* bench_audit.h - the text form of `bench audit`, apart from its facts. */
#ifndef AISP_COMMANDS_BENCH_AUDIT_H
#define AISP_COMMANDS_BENCH_AUDIT_H

#include "commands/command.h"

/* What is known of one protection on one target, best last. */
enum aisp_held {
    AISP_HELD_VIOLATED,    /* a run found it broken */
    AISP_HELD_DEVELOPMENT, /* the environment did not qualify */
    AISP_HELD_UNPROVEN,    /* nothing was found, by a check that nothing proves */
    AISP_HELD_LOGIC_ONLY,
    AISP_HELD, /* what the check needs was there, it found nothing, and it is proven */
    AISP_HELD_NOT_APPLICABLE,
    AISP_N_HELD
};

void aisp_audit_render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out);

#endif
