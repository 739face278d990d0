/* serving.h - a problem whose calls are traces: requests arrive while the call runs, tokens leave it.
 * Not here: tensors and truth of other outputs (problem.h).
 * One tensor of role ARRIVALS and one of role EMISSIONS, both i32, are shared with the supervisor while the call runs. Row 0 of
 * each is its head, whose first word counts the rows that are there; rows follow it in order and stay.
 *
 *   arrivals   (requests + 1, width)   read-only. A row is one request, filled as the tensor declares. The supervisor writes it
 *                                      and then raises the count, at secret times that no answer delays (an open loop)
 *   emissions  (requests * tokens + 1, 4)   the call writes a row (request, index, token, 0) and then raises the count. The
 *                                      supervisor stamps a row when it sees it, and takes its contents as they are then
 *
 * The tokens of a request leave in order, each once, none before its request is there. A call ends when all have left. */
#ifndef AISP_SERVING_H
#define AISP_SERVING_H

#include <aisp/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/* When requests come, at the same mean rate.
 *   POISSON    each on its own           BURSTY   in bursts of 8 on average, at one moment
 *   LONG_TAIL  gaps of a power law (Pareto, 1.5): long silences, then many at once */
enum aisp_process { AISP_POISSON = 1, AISP_BURSTY, AISP_LONG_TAIL };

/* Whose 99th percentile is compared: from a request's arrival to its first token, or between the tokens behind it. */
enum aisp_served { AISP_TTFT = 1, AISP_TPOT };

struct aisp_serving {
    enum aisp_process process;
    enum aisp_served figure;
    /* Expressions over the parameters, as in problem.h. */
    const char *requests;         /* of one call */
    const char *per_second;       /* how fast they come */
    const char *tokens;           /* the most that one request can have */
    const char *ttft_us, *tpot_us;  /* the objective: goodput counts the requests that keep both */
    /* The right tokens of one request, from a forward pass of its own: written to token[], at most `most`; returns how many
     * (at least 1). The view's arrivals tensor is whole, with its head. */
    int64_t (*answer)(const struct aisp_view *in, int64_t request, int32_t *token, int64_t most);
};

/* How many rows are there. What stands in them can be read after this. */
static inline int32_t aisp_ring_count(const void *ring)
{
    return __atomic_load_n((const int32_t *)ring, __ATOMIC_ACQUIRE);
}

/* Emit one token; only one thread of a call may do so at a time. */
static inline void aisp_emit(void *ring, int32_t request, int32_t index, int32_t token)
{
    int32_t *head = (int32_t *)ring;
    int32_t *row = head + 4 * ((int64_t)*head + 1);

    row[0] = request;
    row[1] = index;
    row[2] = token;
    row[3] = 0;
    __atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
}

#ifdef __cplusplus
}
#endif
#endif
