/* baseline - a read for each head and one for each body, each to where it belongs. */
#include "records.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct records r = records_of(call);

    for (int64_t i = 0; i < r.n; i++) {
        const off_t at = record_at(&r, i);

        if (pread(r.fd, r.heads + (size_t)i * r.head, r.head, at) != (ssize_t)r.head ||
            pread(r.fd, r.bodies + (size_t)i * r.body, r.body, at + (off_t)r.head) != (ssize_t)r.body)
            return AISP_E_IO;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a read for each head and each body");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
