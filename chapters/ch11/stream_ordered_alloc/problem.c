/* stream_ordered_alloc - memory for requests that come one after another: each makes a table of its distinct keys, an entry
 * for each, which lives until the fourth request after it has been served. What a table needs is not known before it is
 * made, but all of it dies at once, and in the order in which it was made: a general allocator knows neither.
 *   distinct[r]  distinct keys of request r
 *   common[r]    those of them that request r - 4 had as well (0 for the first four)
 *   high[r]      the most entries that have been alive at once so far: tables r - 4 to r are alive when r has been served
 * The truth counts without tables, by comparing sorted keys. */
#include <stdlib.h>
#include <string.h>

#include <aisp/problem.h>

#include "problem.h"

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* The distinct keys of request r in order; returns how many. */
static int64_t sorted_keys(const struct aisp_view *in, int64_t r, int32_t *to)
{
    const int64_t keys = in->param[KEYS];
    int64_t n = 0;

    memcpy(to, (const int32_t *)in->tensor[KEY] + r * keys, (size_t)keys * sizeof *to);
    qsort(to, (size_t)keys, sizeof *to, by_value);
    for (int64_t i = 0; i < keys; i++)
        if (!n || to[i] != to[n - 1])
            to[n++] = to[i];
    return n;
}

static int64_t in_both(const int32_t *a, int64_t n, const int32_t *b, int64_t m)
{
    int64_t both = 0, i = 0, j = 0;

    while (i < n && j < m) {
        const int32_t x = a[i], y = b[j];

        both += x == y;
        i += x <= y;
        j += y <= x;
    }
    return both;
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t keys = in->param[KEYS], from = out == HIGH ? 0 : first;
    int32_t *now = malloc(2 * (size_t)keys * sizeof *now), *then = now + keys;
    int64_t alive[LIVE + 1] = { 0 }, high = 0, *y = to;

    if (!now)
        abort();
    for (int64_t r = from; r < first + n; r++) {
        const int64_t distinct = sorted_keys(in, r, now);
        int64_t result = distinct, sum = 0;

        alive[r % (LIVE + 1)] = distinct;
        for (int i = 0; i <= LIVE; i++)
            sum += alive[i];
        high = sum > high ? sum : high;
        if (out == HIGH)
            result = high;
        if (out == COMMON)
            result = r < LIVE ? 0 : in_both(now, distinct, then, sorted_keys(in, r - LIVE, then));
        if (r >= first)
            *y++ = result;
    }
    free(now);
}

static const struct aisp_param params[] = {
    { "requests", 256, 13, 0, 240, 290, 1 },
    { "keys", 256, 29, 0, 240, 290, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "key", AISP_IN, AISP_I32, "requests, keys", { AISP_INTEGERS, 0, 1024 } },
    { "distinct", AISP_OUT, AISP_I32, "requests", { AISP_NO_FILL, 0, 0 } },
    { "common", AISP_OUT, AISP_I32, "requests", { AISP_NO_FILL, 0, 0 } },
    { "high", AISP_OUT, AISP_I32, "requests", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Tables of requests, made and dropped in order",
    .teaches = "allocation: malloc for each entry, a slab of equal entries, an arena for each request",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "4*requests*keys + 12*requests",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "whole numbers" },
    .reference = reference,
};
