/* overlap.c - a table of the test rows by hash, asked about each training row. */
#include "core/judge/overlap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

/* FNV-1a, then mixed: only to find candidates; equality is decided by the bytes. */
static uint64_t hash_of(const unsigned char *row, size_t bytes)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < bytes; i++)
        h = (h ^ row[i]) * UINT64_C(0x100000001b3);
    h ^= h >> 32;
    return h * UINT64_C(0x9e3779b97f4a7c15);
}

static const unsigned char *row_of(const struct aisp_row_range *rows, int64_t i)
{
    return (const unsigned char *)rows->base + (size_t)i * rows->bytes;
}

/* The test row that equals `row`, or -1. slot[] holds test rows + 1, open addressing. */
static int64_t find(const struct aisp_row_range *test, const int64_t *slot, uint64_t mask, const unsigned char *row)
{
    for (uint64_t at = hash_of(row, test->bytes) & mask; slot[at]; at = (at + 1) & mask)
        if (!memcmp(row_of(test, slot[at] - 1), row, test->bytes))
            return slot[at] - 1;
    return -1;
}

int64_t aisp_overlap_count(const struct aisp_row_range *train, const struct aisp_row_range *test, int64_t *first_train,
                           int64_t *first_test)
{
    uint64_t room = 16;
    int64_t n_shared = 0, *slot;

    *first_train = *first_test = -1;
    if (train->bytes != test->bytes || train->bytes == 0)
        return 0;
    while (room < 2 * (uint64_t)test->n)
        room *= 2;
    slot = aisp_xcalloc(room, sizeof *slot);
    for (int64_t i = 0; i < test->n; i++) {
        uint64_t at = hash_of(row_of(test, i), test->bytes) & (room - 1);

        while (slot[at])
            at = (at + 1) & (room - 1);
        slot[at] = i + 1;
    }
    for (int64_t i = 0; i < train->n; i++) {
        const int64_t j = find(test, slot, room - 1, row_of(train, i));

        if (j < 0)
            continue;
        if (n_shared++ == 0) {
            *first_train = i;
            *first_test = j;
        }
    }
    free(slot);
    return n_shared;
}
