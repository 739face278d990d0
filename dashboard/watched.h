/* watched.h - has anything changed that answers are made of: the store, the folder of runs, the built targets?
 * Only by what the file system says of them, for a dashboard reads no record. A shared store (AISP_STORE) is another machine's
 * and cannot be watched so: cache.h lets its answers grow old instead. */
#ifndef AISP_DASHBOARD_WATCHED_H
#define AISP_DASHBOARD_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

struct aisp_watched_files {
    char *artifacts, *targets;
    uint64_t store_hash, targets_hash;
    int64_t targets_ms;                      /* when the targets were last walked: at most once a second */
    int64_t generation;                      /* 1, and one more for each change that was seen */
    bool is_shared;
};

void aisp_watched_init(struct aisp_watched_files *watched, const char *artifacts, const char *targets);
void aisp_watched_release(struct aisp_watched_files *watched);
/* Look, and say the generation. Some microseconds; a millisecond once a second. */
int64_t aisp_watched_look(struct aisp_watched_files *watched, int64_t now_ms);

#endif
