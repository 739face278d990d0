/* baseline - malloc for each entry, free for each when its table is dropped. */
#include <stdlib.h>

#include <aisp/variant.h>

#include "problem.h"
#include "table.h"

static void drop(struct table *t)
{
    for (int b = 0; b < BUCKETS; b++)
        for (struct entry *e = t->head[b], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    memset(t, 0, sizeof *t);
}

static int fill(struct table *t, const int32_t *key, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        struct entry **link = place_of(t, key[i]), *e;

        if (*link)
            continue;
        e = malloc(sizeof *e);
        if (!e)
            return 0;
        add(t, link, e, key[i]);
    }
    return 1;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t keys = call->param[KEYS];
    enum aisp_status status = AISP_OK;
    struct table table[TABLES];

    memset(table, 0, sizeof table);
    for (int64_t r = 0; r < call->param[REQUESTS] && !status; r++) {
        if (!fill(&table[r % TABLES], (const int32_t *)call->tensor[KEY] + r * keys, keys))
            status = AISP_E_NO_MEMORY;
        report(call, table, r);
        drop(&table[(r + 1) % TABLES]);
    }
    for (int i = 0; i < TABLES; i++)
        drop(&table[i]);
    return status;
}

AISP_DECLARE("idea: malloc and free for each entry\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
