/* recheck.h - a recorded comparison judged again: is the record whole, and what do today's checks say of it?
 * Everything is derived from the raw record: windows, secrets, what was kept of outputs. Nothing of what the result said is
 * believed; it is only compared. Not here: where the record comes from (bench_recheck.c). */
#ifndef AISP_COMMANDS_RECHECK_H
#define AISP_COMMANDS_RECHECK_H

#include <jansson.h>

#include "checks/check.h"
#include "core/plugin.h"

struct aisp_recheck_spec {
    const json_t *manifest, *summary; /* of the run; summary may be NULL: it was never finished */
    const json_t *result;             /* as it was recorded */
    const json_t *evidence;
    const char *file_sha256,
        *expected_sha256; /* of the evidence file, and as it was recorded; NULL: not known */
    const char *expected_in; /* where that stands: "results.json"; NULL: the index */
    const struct aisp_problem *problem; /* NULL: it is not here, contents are not made again */
};

/* New reference:
 *   {"key", "target", "variant", "intact": bool, "damage": [texts],      what shows that somebody changed the record
 *    "secrets": {"revealed", "pairs", "from_run"},                       commitments that were checked
 *    "kept": {"judged", "right", "of"},                                  outputs judged again from contents made again
 *    "changed": ["verdict FASTER -> SAME", ...], "old": {...}, "new": {"verdict", "ratio", "lo95", "hi95", "grade"},
 *    "note": why something could not be done, "" } */
json_t *aisp_recheck(const struct aisp_recheck_spec *spec);

#endif
