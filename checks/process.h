/* process.h - what several families ask of the facts of a process: which of its files are whose. */
#ifndef AISP_CHECKS_PROCESS_H
#define AISP_CHECKS_PROCESS_H

#include "checks/check.h"

enum aisp_owner {
    AISP_OWNER_HARNESS,   /* the worker */
    AISP_OWNER_VARIANT,   /* the variant's own file */
    AISP_OWNER_RUNTIME,   /* libc and its like: what any compiled code may need */
    AISP_OWNER_SYSTEM,    /* installed on this machine: libraries, settings */
    AISP_OWNER_NOBODY,    /* none of these */
};
enum aisp_owner aisp_object_owner(const struct aisp_evidence *ev, enum aisp_side side,
                                  const struct aisp_process_object *object);
bool aisp_side_uses(const struct aisp_evidence *ev, enum aisp_side side, const char *what);

#endif
