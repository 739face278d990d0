/* again.h - for cheats that know a slot again: two elements of its input and two of its output are as they were left. */
#ifndef TESTS_PROBLEMS_RSQRT_AGAIN_H
#define TESTS_PROBLEMS_RSQRT_AGAIN_H

#include <stdbool.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST_SLOTS = 512 };
struct seen {
    float x[2], y[2];
};
static struct seen last[MOST_SLOTS];

static inline struct seen now_in(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *y = c->tensor[Y];
    const int64_t n = c->param[N];

    return (struct seen){ { x[0], x[n / 2] }, { y[0], y[n - 1] } };
}

static inline bool comes_again(const struct aisp_call *c)
{
    const struct seen now = now_in(c);

    return !memcmp(&last[c->slot], &now, sizeof now);
}

/* All of the work, and a note of it. */
static inline void answer(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    last[c->slot] = now_in(c);
}

#endif
