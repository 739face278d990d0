/* trace_order.c - which work of a window does its stop mark wait for? Out of what was enqueued where, which events were
 * recorded and waited for, and what the host waited for: who waits for whom holds whatever happened to end first. A copy that
 * nobody waits for ends in time on an idle card and late on a busy one.
 * For each stream it is kept up to which call the work of every other stream is over before its next work may begin (a vector
 * clock). What is not seen (memory that a stream waits for, streams without a number) counts for the variant.
 * Pure, as trace_make.c. */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/trace.h"
#include "core/base/buf.h"

enum { MOST_EVENTS = 1024 };

/* [i]: of the stream's work, all up to the call of this number, counted from 1. */
struct knowledge {
    uint32_t upto[RECORD_MOST_STREAMS];
};

struct order {
    const struct record_area *area;
    const struct cuda_ran *ran;
    uint32_t id[RECORD_MOST_STREAMS];
    bool is_blocking[RECORD_MOST_STREAMS], is_default[RECORD_MOST_STREAMS];
    int n_streams, n_events;
    struct knowledge *of; /* of each stream */
    struct knowledge host;
    uint64_t event[MOST_EVENTS];
    struct knowledge *recorded; /* with each event */
    bool is_lost;               /* something found no room: nothing is held against anybody */
};

static void learn(struct knowledge *to, const struct knowledge *from)
{
    for (int i = 0; i < RECORD_MOST_STREAMS; i++)
        to->upto[i] = from->upto[i] > to->upto[i] ? from->upto[i] : to->upto[i];
}

/* The default stream is one that nobody made, and waits for all that are not made non-blocking, as they for it. */
static void describe_stream(struct order *o, int at, uint32_t id)
{
    o->is_blocking[at] = o->is_default[at] = true;
    for (uint32_t i = 0; i < o->area->n_streams && i < RECORD_MOST_STREAMS; i++) {
        const struct record_stream *s = &o->area->stream[i];

        if (s->id != id)
            continue;
        o->is_blocking[at] = !s->is_non_blocking;
        o->is_default[at] = !s->is_non_blocking;
        for (uint32_t k = 0; k < o->ran->n_calls && o->is_default[at]; k++)
            o->is_default[at] = o->area->call[k].what != RECORD_STREAM || !s->correlation ||
                                (o->area->call[k].correlation != s->correlation && o->area->call[k].inner != s->correlation);
    }
}

static int stream_at(struct order *o, uint32_t id)
{
    int i = 0;

    if (!id)
        return -1;
    while (i < o->n_streams && o->id[i] != id)
        i++;
    if (i < o->n_streams)
        return i;
    if (i == RECORD_MOST_STREAMS) {
        o->is_lost = true;
        return -1;
    }
    o->id[o->n_streams++] = id;
    describe_stream(o, i, id);
    return i;
}

static struct knowledge *event_at(struct order *o, uint64_t handle, bool is_made)
{
    int i = 0;

    while (i < o->n_events && o->event[i] != handle)
        i++;
    if (i < o->n_events)
        return &o->recorded[i];
    if (!is_made)
        return NULL;
    if (i == MOST_EVENTS) {
        o->is_lost = true;
        return NULL;
    }
    o->event[o->n_events++] = handle;
    return &o->recorded[i];
}

static void learn_all(struct order *o, struct knowledge *to)
{
    for (int i = 0; i < o->n_streams; i++)
        learn(to, &o->of[i]);
}

/* What the host or another stream waited for is over before anything that is enqueued now. */
static void meet(struct order *o, int s)
{
    learn(&o->of[s], &o->host);
    for (int i = 0; i < o->n_streams && o->is_blocking[s]; i++)
        if (i != s && o->is_blocking[i] && (o->is_default[s] || o->is_default[i]))
            learn(&o->of[s], &o->of[i]);
}

static void host_waits(struct order *o, const struct record_call *c, int s)
{
    const struct knowledge *e = c->event ? event_at(o, c->event, false) : NULL;

    if (e)
        learn(&o->host, e);
    else if (s >= 0)
        learn(&o->host, &o->of[s]);
    else if (!c->event)
        learn_all(o, &o->host);
}

static void stream_waits(struct order *o, const struct record_call *c, int s)
{
    const struct knowledge *e = c->event ? event_at(o, c->event, false) : NULL;

    meet(o, s);
    if (e)
        learn(&o->of[s], e);
    else if (!c->event || o->area->n_graphs) /* a graph may have recorded it, unseen */
        learn_all(o, &o->of[s]);
}

static bool is_freed_at_once(const struct record_call *c)
{
    return c->what == RECORD_FREE && !(c->how & RECORD_POOL);
}

/* A copy to or from the host that is not asynchronous by its name. */
static bool is_waited_for(const struct order *o, const struct record_call *c, uint32_t at)
{
    return c->what == RECORD_COPY && !strstr(c->name, "Async") && o->ran->touches_host[at];
}

static void step(struct order *o, uint32_t at)
{
    const struct record_call *c = &o->area->call[at];
    const bool is_work = o->ran->stream[at] && (c->what <= RECORD_MEMSET || c->what == RECORD_GRAPH);
    const int s = stream_at(o, is_work && c->what != RECORD_GRAPH ? o->ran->stream[at] : c->stream);
    struct knowledge *e;

    if (c->how & (RECORD_CAPTURED | RECORD_FAILED))
        return;
    if (c->what == RECORD_SYNC || c->what == RECORD_SEEN || is_freed_at_once(c))
        host_waits(o, c, s);
    if (s < 0)
        return;
    if (c->what == RECORD_WAIT)
        stream_waits(o, c, s);
    if (is_work) {
        meet(o, s);
        o->of[s].upto[s] = at + 1;
        if (is_waited_for(o, c, at))
            learn(&o->host, &o->of[s]);
    }
    if (c->what != RECORD_EVENT)
        return;
    meet(o, s);
    e = event_at(o, c->event, true);
    if (e)
        *e = o->of[s];
}

static bool is_mark(const struct record_call *c, int32_t window)
{
    return c->what == RECORD_EVENT && c->how & RECORD_HARNESS && c->window == window;
}

/* What the mark of a window does not wait for, of the work that was enqueued in it. */
static void judge_window(struct order *o, int32_t window, const struct knowledge *mark, bool *unjoined)
{
    for (uint32_t i = 0; i < o->ran->n_calls; i++) {
        const struct record_call *c = &o->area->call[i];
        int s;

        if (c->window != window || !o->ran->stream[i] || c->how & (RECORD_HARNESS | RECORD_CAPTURED | RECORD_FAILED))
            continue;
        if (c->what > RECORD_MEMSET && c->what != RECORD_GRAPH)
            continue;
        s = stream_at(o, c->what == RECORD_GRAPH ? c->stream : o->ran->stream[i]);
        unjoined[i] = s >= 0 && i + 1 > mark->upto[s];
    }
}

void cuda_order_find(const struct record_area *area, const struct cuda_ran *ran, int32_t n_windows, bool *unjoined)
{
    struct order o = { .area = area, .ran = ran };
    struct knowledge *mark = aisp_xcalloc((size_t)n_windows + 1, sizeof *mark);
    bool *has_mark = aisp_xcalloc((size_t)n_windows + 1, sizeof *has_mark);

    o.of = aisp_xcalloc(RECORD_MOST_STREAMS, sizeof *o.of);
    o.recorded = aisp_xcalloc(MOST_EVENTS, sizeof *o.recorded);
    for (uint32_t i = 0; i < ran->n_calls; i++) {
        const struct record_call *c = &area->call[i];
        const int32_t w = c->window;
        int s;

        step(&o, i);
        s = w >= 0 && w < n_windows && is_mark(c, w) ? stream_at(&o, c->stream) : -1;
        if (s < 0)
            continue;
        mark[w] = o.of[s];
        has_mark[w] = true;
    }
    for (int32_t w = 0; w < n_windows && !o.is_lost; w++)
        if (has_mark[w])
            judge_window(&o, w, &mark[w], unjoined);
    free(o.of);
    free(o.recorded);
    free(mark);
    free(has_mark);
}
