/* peer_libc - memchr of the C library. It looks for one byte, and here the only byte that is not zero is one. */
#include <string.h>

#include "search.h"

static int64_t search_memchr(const uint8_t *x, int64_t n)
{
    const uint8_t *found = memchr(x, 1, (size_t)n);

    return found ? found - x : n;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return search_all(call, search_memchr);
}

AISP_DECLARE("idea: memchr of the C library\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
