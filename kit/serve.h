/* serve.h - a server's door: requests that are there, and the wait for one that is not yet.
 * Requests are taken in the order in which they come, at any time, one at a time; what is done with one that was taken is
 * the server's own affair. Tokens leave by aisp_emit.
 * The wait is a loop on the count of the ring (include/aisp/serving.h): no sleep, whose end would be the scheduler's, and no
 * clock, which the supervisor has.
 * Not here: what a row of arrivals means, and who is served when. */
#ifndef AISP_KIT_SERVE_H
#define AISP_KIT_SERVE_H

#include <stdint.h>

#include <aisp/serving.h>

/* requests: of this call; taken: the first ones. */
struct door {
    const int32_t *arrivals;
    int64_t width;
    int32_t requests, taken;
};

/* arrivals: the tensor, rows of `width`. */
static inline struct door door_of(const void *arrivals, int64_t width, int64_t requests)
{
    return (struct door){ arrivals, width, (int32_t)requests, 0 };
}

/* The row of a request that is there. */
static inline const int32_t *door_row(const struct door *d, int32_t request)
{
    return d->arrivals + (request + 1) * d->width;
}

/* How many are there and have not been taken. */
static inline int32_t door_waiting(const struct door *d)
{
    return aisp_ring_count(d->arrivals) - d->taken;
}

/* The next request, or -1: none is there now. */
static inline int32_t door_take(struct door *d)
{
    return door_waiting(d) > 0 ? d->taken++ : -1;
}

/* Until a request is there. Some have not been taken. */
static inline void door_wait(const struct door *d)
{
    while (door_waiting(d) < 1)
        __builtin_ia32_pause();
}

#endif
