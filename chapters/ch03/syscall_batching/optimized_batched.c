/* optimized_batched - 256 records in one call, a list of 512 destinations.
 * Expected: 16 calls instead of 8192. What is left is the copy and the walk over the list, some 30 ns for each destination,
 * most of it in vain for pieces of 16 bytes, where a call costs some 500 ns (a quarter of that where no side channels are
 * guarded): 5 to 15x.
 * Costs: a list of 8 KiB to fill each time; a call takes longer, which others wait for who share a lock of the file. */
#include "records.h"

enum { BATCH = 256 }; /* a call takes at most 1024 destinations */

static enum aisp_status run(const struct aisp_call *call)
{
    const struct records r = records_of(call);
    struct iovec part[2 * BATCH];

    for (int64_t first = 0; first < r.n; first += BATCH) {
        const int64_t n = r.n - first < BATCH ? r.n - first : BATCH;

        for (int64_t i = 0; i < n; i++) {
            part[2 * i] = (struct iovec){ r.heads + (size_t)(first + i) * r.head, r.head };
            part[2 * i + 1] = (struct iovec){ r.bodies + (size_t)(first + i) * r.body, r.body };
        }
        if (preadv(r.fd, part, (int)(2 * n), record_at(&r, first)) != (ssize_t)((size_t)n * r.both))
            return AISP_E_IO;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: one read for 256 records, each part to its destination\n"
             "expect: system calls / 512");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
