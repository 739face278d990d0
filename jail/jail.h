/* jail.h - the parts of aisp-jail. It links nothing of ours, and holds nothing that could be taken from it. */
#ifndef AISP_JAIL_H
#define AISP_JAIL_H

#include <stdbool.h>

#include "sandbox/plan.h"

struct jail {
    const struct aisp_jail_plan *plan;
    struct aisp_jail_report report;
};

enum { JAIL_NOBODY = 65534 };

const char *jail_text(const struct jail *j, uint32_t at);

/* main.c: say in the report what failed, and leave. */
_Noreturn void jail_fail(struct jail *j, const char *what);

/* root.c: from here on there is only what the plan shows, and the work folder is the current one. */
void jail_make_root(struct jail *j);
void jail_write_files(struct jail *j);

/* landlock.c: allow what the plan shows, and the work folder. False: the kernel has no Landlock. */
bool jail_landlock(struct jail *j);

/* limits.c: limits, no new privileges, system calls. */
void jail_limit(struct jail *j);
void jail_become_nobody(struct jail *j);

#endif
