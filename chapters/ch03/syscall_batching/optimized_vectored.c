/* optimized_vectored - head and body of a record in one call, which the kernel takes apart.
 * Expected: half of the calls, 1.5 to 1.8x: a call with a list costs somewhat more than one without, for the list is copied
 * and checked.
 * Costs: nothing. */
#include "records.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct records r = records_of(call);

    for (int64_t i = 0; i < r.n; i++) {
        const struct iovec part[2] = { { r.heads + (size_t)i * r.head, r.head }, { r.bodies + (size_t)i * r.body, r.body } };

        if (preadv(r.fd, part, 2, record_at(&r, i)) != (ssize_t)r.both)
            return AISP_E_IO;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a read with two destinations for each record\n"
             "expect: system calls / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
