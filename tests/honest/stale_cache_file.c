/* stale_cache_file - keeps each file mapped from setup on, which is no copy: what is read is what lies there now.
 *
 * @check stale-cache
 * @problem records
 * @pairs 2 */
#include <sys/mman.h>

#include "tests/problems/records/records.h"

enum { MOST_SLOTS = 64 };

static const int32_t *map[MOST_SLOTS];

static enum aisp_status setup(const struct aisp_setup *s)
{
    for (int i = 0; i < s->n_slots && i < MOST_SLOTS; i++) {
        const struct aisp_file *data = s->slot[i][DATA];

        map[i] = mmap(NULL, (size_t)data->bytes, PROT_READ, MAP_SHARED, data->fd, 0);
        if (map[i] == MAP_FAILED)
            return AISP_E_NO_MEMORY;
    }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    sum_rows(map[c->slot], c->tensor[SUM], c->param[ROWS], c->param[COLS]);
    return AISP_OK;
}

AISP_DECLARE("idea: no copy out of the page cache");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
