/* host.h - more of the machine than environment.h says: all its cores' clocks, and what its
 * container allows. Read before and after a run, below the same root. Unknown numbers are -1. */
#ifndef AISP_CORE_HOST_H
#define AISP_CORE_HOST_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_host {
    bool known;
    char governor[24];    /* of the first core whose governor is not "performance"; "" if none */
    int32_t governor_cpu; /* that core; -1 */
    int64_t khz_low, khz_high; /* over all cores, as they are now */
    int32_t khz_low_cpu;
    int32_t cpuset_cpus;                                /* cores that the container may use */
    int64_t pids_max, throttled_periods, memory_events; /* events: at its memory limit */
};

void aisp_host_probe(struct aisp_host *host, const char *root);
/* NULL if it was not probed. */
json_t *aisp_host_to_json(const struct aisp_host *host);
/* `json` NULL: it was not. */
enum aisp_status aisp_host_from_json(const json_t *json, struct aisp_host *host,
                                     struct aisp_err *err);

#endif
