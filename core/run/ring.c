/* ring.c - read what a server emits, and judge it. Nothing that a worker writes is used before it is bounded. */
#include <string.h>

#include "core/run/serve.h"

int64_t aisp_ring_read(struct aisp_ring_reader *r, int64_t looked_ns, int64_t (*now_ns)(void *),
                       void *clock)
{
    const int64_t count = aisp_ring_count(r->ring), before = r->n;
    int64_t stamp_ns;

    if (count == before || r->flaw)
        return 0;
    if (count < before || count > r->capacity) {
        r->flaw = count < before ? AISP_EMISSION_BACKWARDS : AISP_EMISSION_OVERFLOW;
        r->claimed = count;
        return 0;
    }
    stamp_ns = now_ns(clock);
    for (; r->n < count; r->n++) {
        const volatile int32_t *row = r->ring + 4 * (r->n + 1);

        r->token[r->n] =
            (struct aisp_seen_token){ row[0], row[1], row[2], stamp_ns, stamp_ns - looked_ns };
    }
    return r->n - before;
}

static void note(struct aisp_serve_flaw *flaw, const struct aisp_seen_token *token,
                 int64_t expected)
{
    if (flaw->n++ == 0) {
        flaw->first = *token;
        flaw->expected = expected;
    }
}

/* One token, `next` being the one that its request waits for. False: it is none of the request's. */
static bool judge_token(const struct aisp_served_trace *s, const struct aisp_seen_token *t,
                        int64_t next, struct aisp_serve_answer *a)
{
    const int64_t at = t->request * s->most_tokens + t->index;

    if (s->published_ns[t->request] < 0 || t->stamp_ns < s->published_ns[t->request])
        note(&a->flaw[AISP_EMISSION_EARLY], t, s->published_ns[t->request]);
    if (t->index != next || t->index >= s->n_answer[t->request]) {
        note(&a->flaw[AISP_EMISSION_REPEATED], t, next);
        return false;
    }
    if (t->token != s->answer[at]) {
        note(&a->wrong, t, s->answer[at]);
        a->n_stale += s->before && t->token == s->before[at];
    }
    return true;
}

void aisp_serve_judge(const struct aisp_served_trace *s, struct aisp_request_times *times,
                      struct aisp_serve_answer *a)
{
    memset(a, 0, sizeof *a);
    for (int64_t r = 0; r < s->n_requests; r++)
        times[r].first_ns = times[r].last_ns = times[r].n_tokens = 0;
    for (int64_t i = 0; i < s->n_seen; i++) {
        const struct aisp_seen_token *t = &s->seen[i];
        struct aisp_request_times *to;

        if (t->request < 0 || t->request >= s->n_requests) {
            note(&a->flaw[AISP_EMISSION_UNKNOWN], t, s->n_requests);
            continue;
        }
        to = &times[t->request];
        if (!judge_token(s, t, to->n_tokens, a))
            continue;
        to->last_ns = t->stamp_ns;
        if (to->n_tokens++ == 0)
            to->first_ns = t->stamp_ns;
    }
    for (int64_t r = 0; r < s->n_requests; r++)
        if (times[r].n_tokens < s->n_answer[r]) {
            const struct aisp_seen_token missing = { (int32_t)r, times[r].n_tokens, -1, 0, 0 };

            note(&a->flaw[AISP_EMISSION_UNSERVED], &missing, s->n_answer[r]);
        }
}
