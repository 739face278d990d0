/* share.h - one piece of the judge's own work, shared among the CPUs that this process may use.
 * For work between windows only: the threads that helped sleep when the call returns. One caller at a time has helpers. */
#ifndef AISP_BASE_SHARE_H
#define AISP_BASE_SHARE_H

#include <stdint.h>

/* Items [first, first + n). Called at the same time by several threads, for different items. */
typedef void aisp_part(void *context, int64_t first, int64_t n);

/* Has part() done for [0, n), in pieces of at least `least` items (> 0), of which each but the last ends at a multiple of it. Where
 * there is one CPU, or no more than one piece, or no thread to be had, the caller does it. */
void aisp_share(int64_t n, int64_t least, aisp_part *part, void *context);

#endif
