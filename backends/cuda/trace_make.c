/* trace_make.c - a trace out of records: join what the device did with the call that asked for it, leave out what is the harness's,
 * bring all times to the supervisor's clock.
 * Pure: it is tested without a card, with records that tests write. */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/trace.h"
#include "core/base/buf.h"

_Static_assert((int)RECORD_KERNEL == AISP_DEVICE_KERNEL && (int)RECORD_SYNC == AISP_DEVICE_SYNC &&
                   (int)RECORD_CALLBACK == AISP_DEVICE_CALLBACK && (int)RECORD_PREFETCH == AISP_DEVICE_PREFETCH,
               "record.h numbers kinds as core/device_trace.h does");
_Static_assert((int)RECORD_AT_DEVICE == AISP_AT_DEVICE && (int)RECORD_AT_PEER == AISP_AT_PEER, "and places of memory");
_Static_assert((int)RECORD_COOPERATIVE == AISP_HOW_COOPERATIVE && (int)RECORD_FROM_DEVICE == AISP_HOW_FROM_DEVICE &&
                   (int)RECORD_PROGRAMMATIC == AISP_HOW_PROGRAMMATIC && (int)RECORD_POOL == AISP_HOW_POOL,
               "and bits of how");
_Static_assert((int)RECORD_SETUP == AISP_PHASE_SETUP && (int)RECORD_TIMED == AISP_PHASE_TIMED &&
                   (int)RECORD_TEARDOWN == AISP_PHASE_TEARDOWN,
               "and phases");
_Static_assert((int)RECORD_MOST_POLICIES <= AISP_DEVICE_MOST_OTHERS &&
                   sizeof(((struct record_policy *)0)->name) == sizeof(((struct aisp_device_policy *)0)->name),
               "and has no more policies than find room");
_Static_assert((int)RECORD_MOST_WINDOWS == AISP_DEVICE_MOST_WINDOWS, "and has a window for each");

static const int64_t MOST_NS = INT64_C(1) << 45;

struct join {
    uint32_t correlation, call;
};

struct maker {
    const struct record_area *area;
    const struct cuda_seen *seen;
    struct aisp_device_trace *trace;
    struct cuda_clock clock;
    struct join *join;
    size_t n_joins;
    bool *has_run; /* of each call: something on the device belongs to it */
    bool *unjoined, *touches_host; /* of each call: see trace_order.c */
    uint32_t *ran_on;
    struct cuda_codes codes;
    const struct record_activity *sample; /* what the device did for the harness before anything of the variant was there, or NULL */
    uint32_t n_calls, n_activities;
    int64_t first_callback_ns; /* INT64_MAX: there was none */
};

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static int32_t window_of(const struct maker *m, int32_t window)
{
    return window >= 0 && window < m->seen->n_windows ? window : -1;
}

static int8_t phase_of(int phase)
{
    return (int8_t)(phase >= RECORD_LOAD && phase <= RECORD_TEARDOWN ? phase : RECORD_TIMED);
}

/* ns since the session was opened. */
static int64_t bounded(const struct maker *m, int64_t ns)
{
    int64_t since;

    if (__builtin_sub_overflow(ns, m->seen->opened_ns, &since))
        return 0;
    return since < -MOST_NS ? -MOST_NS : since > MOST_NS ? MOST_NS : since;
}

static int64_t device_ns(const struct maker *m, uint64_t device)
{
    const uint64_t first = m->clock.pair[0].device, away = device > first ? device - first : first - device;

    return away > (uint64_t)MOST_NS ? -1 : bounded(m, cuda_clock_ns(&m->clock, device));
}

static void copy_text(char *to, const char *from, size_t size)
{
    memcpy(to, from, size - 1);
    to[size - 1] = 0;
    for (char *c = to; *c; c++)
        if ((unsigned char)*c < 32 || (unsigned char)*c > 126)
            *c = '?';
}

static void copy_name(char to[64], const char *from)
{
    copy_text(to, from, 64);
}

/* ---- which call something belongs to ---- */

static int by_correlation(const void *a, const void *b)
{
    const struct join *x = a, *y = b;

    return x->correlation < y->correlation ? -1 : x->correlation > y->correlation;
}

static void index_calls(struct maker *m)
{
    m->join = aisp_xcalloc(2 * (size_t)m->n_calls + 1, sizeof *m->join);
    m->has_run = aisp_xcalloc((size_t)m->n_calls + 1, sizeof *m->has_run);
    m->unjoined = aisp_xcalloc((size_t)m->n_calls + 1, sizeof *m->unjoined);
    m->touches_host = aisp_xcalloc((size_t)m->n_calls + 1, sizeof *m->touches_host);
    m->ran_on = aisp_xcalloc((size_t)m->n_calls + 1, sizeof *m->ran_on);
    for (uint32_t i = 0; i < m->n_calls; i++) {
        const struct record_call *c = &m->area->call[i];

        if (c->correlation)
            m->join[m->n_joins++] = (struct join){ c->correlation, i };
        if (c->inner)
            m->join[m->n_joins++] = (struct join){ c->inner, i };
    }
    qsort(m->join, m->n_joins, sizeof *m->join, by_correlation);
}

static const struct record_call *call_of(const struct maker *m, uint32_t correlation)
{
    const struct join key = { correlation, 0 },
                      *found = correlation ? bsearch(&key, m->join, m->n_joins, sizeof key, by_correlation) : NULL;

    if (!found)
        return NULL;
    m->has_run[found->call] = true;
    return &m->area->call[found->call];
}

/* The harness set some bytes in its stream: that has to be on record, or records do not come at all. */
static void find_sample(struct maker *m)
{
    for (uint32_t i = 0; i < m->n_activities && !m->sample; i++) {
        const struct record_activity *r = &m->area->activity[i];
        const struct record_call *c = r->what == RECORD_MEMSET ? call_of(m, r->correlation) : NULL;

        if (c && c->how & RECORD_HARNESS && c->phase == RECORD_LOAD)
            m->sample = r;
    }
}

/* ---- what is known of a call's work beside the records of it ---- */

static bool is_of_host(uint8_t place)
{
    return place == RECORD_AT_PINNED || place == RECORD_AT_PAGEABLE;
}

static void find_order(struct maker *m)
{
    const struct cuda_ran ran = { m->n_calls, m->ran_on, m->touches_host };

    for (uint32_t i = 0; i < m->n_activities; i++) {
        const struct record_activity *r = &m->area->activity[i];
        const struct record_call *c = r->what <= RECORD_MEMSET ? call_of(m, r->correlation) : NULL;
        const size_t at = c ? (size_t)(c - m->area->call) : 0;

        if (!c || m->ran_on[at])
            continue;
        m->ran_on[at] = r->stream;
        m->touches_host[at] = r->what == RECORD_COPY && (is_of_host(r->from) || is_of_host(r->to));
    }
    if (!m->trace->n_dropped)
        cuda_order_find(m->area, &ran, m->seen->n_windows, m->unjoined);
}

/* ---- where memory lies ---- */

static const struct cuda_seen_tensor *tensor_at(const struct maker *m, uint64_t address)
{
    for (int i = 0; i < m->seen->n_tensors; i++)
        if (address - m->seen->tensor[i].address < m->seen->tensor[i].bytes)
            return &m->seen->tensor[i];
    return NULL;
}

/* Another slot's tensor is none of this call's. */
static int32_t place_of(const struct maker *m, uint64_t address, int32_t slot)
{
    const struct cuda_seen_tensor *t = address ? tensor_at(m, address) : NULL;

    if (!address)
        return AISP_PLACE_UNKNOWN;
    if (t)
        return t->slot < 0 || t->slot == slot ? t->tensor : AISP_PLACE_UNKNOWN;
    return address - m->area->workspace < m->area->workspace_bytes ? AISP_PLACE_WORKSPACE : AISP_PLACE_OWN;
}

/* ---- activities ---- */

/* A thread other than the worker's first, once host functions were enqueued: one of them may have woken it. */
static uint32_t how_of(const struct maker *m, const struct record_call *c)
{
    uint32_t how = c->how & (RECORD_COOPERATIVE | RECORD_PROGRAMMATIC | RECORD_POOL);

    if (c->how & RECORD_OTHER_THREAD && c->begin_ns > m->first_callback_ns)
        how |= AISP_HOW_FROM_CALLBACK;
    return how;
}

static struct aisp_device_activity *add_of_call(struct maker *m, int kind, const struct record_call *c)
{
    struct aisp_device_activity *a = aisp_device_add_activity(m->trace);

    if (!a)
        return NULL;
    a->kind = (int8_t)kind;
    a->phase = phase_of(c->phase);
    a->window = window_of(m, c->window);
    a->call = a->window < 0 || c->call < 0 ? -1 : c->call;
    a->slot = a->call < 0 || c->slot < 0 ? -1 : c->slot;
    a->device = m->trace->device;
    a->context = (int32_t)c->context;
    a->how = how_of(m, c);
    a->enqueued_ns = a->start_ns = bounded(m, c->begin_ns);
    a->end_ns = bounded(m, c->end_ns);
    a->bytes = c->bytes < (uint64_t)MOST_NS ? (int64_t)c->bytes : 0;
    copy_name(a->name, c->name);
    return a;
}

static void take_call(struct maker *m, const struct record_call *c)
{
    struct aisp_device_activity *a;

    if (c->how & (RECORD_HARNESS | RECORD_CAPTURED | RECORD_FAILED))
        return;
    if (c->what < RECORD_SYNC || c->what > RECORD_PREFETCH || c->what == RECORD_FAULT)
        return;
    a = add_of_call(m, c->what, c);
    if (a && c->what == RECORD_COMPILE && c->how & RECORD_UNREAD)
        a->how |= AISP_HOW_UNREAD;
    if (a && c->what == RECORD_ALLOC)
        a->to = (int8_t)(c->memory < AISP_AT_N ? c->memory : AISP_AT_UNKNOWN);
}

static bool is_launch(const struct record_call *c)
{
    return (c->what == RECORD_KERNEL || c->what == RECORD_GRAPH) &&
           !(c->how & (RECORD_HARNESS | RECORD_CAPTURED | RECORD_FAILED));
}

/* The host functions of a graph are its own, and leave no record. */
static void take_callbacks(struct maker *m, const struct record_call *c)
{
    for (uint32_t i = 0; i < least(m->area->n_graphs, RECORD_MOST_GRAPHS); i++) {
        const struct record_graph *g = &m->area->graph[i];

        struct aisp_device_activity *a;

        if (c->what != RECORD_GRAPH || g->id != c->graph || g->n_callbacks < 1)
            continue;
        a = add_of_call(m, AISP_DEVICE_CALLBACK, c);
        if (a) {
            a->how |= AISP_HOW_GRAPH;
            a->graph = (int32_t)g->id;
        }
        return;
    }
}

/* A kernel that nobody saw end: only where all that was unfinished came too, and nothing was lost. */
static void take_unseen(struct maker *m, const struct record_call *c, bool has_run)
{
    struct aisp_device_activity *a;

    if (has_run || c->what != RECORD_KERNEL || !m->trace->alive || m->trace->n_dropped)
        return;
    a = add_of_call(m, AISP_DEVICE_KERNEL, c);
    if (a)
        a->end_ns = -1;
}

static int32_t window_at(const struct maker *m, int64_t ns)
{
    for (int32_t i = 0; i < m->seen->n_windows; i++)
        if (ns >= bounded(m, m->seen->window[i].go_ns) && ns <= bounded(m, m->seen->window[i].done_ns))
            return i;
    return -1;
}

/* What no call asked for: page faults, and what the device launched itself. */
static struct aisp_device_activity *add_of_none(struct maker *m, const struct record_activity *r)
{
    const struct record_call none = { .window = -1, .call = -1, .slot = -1, .phase = RECORD_TIMED, .context = r->context };
    struct aisp_device_activity *a = add_of_call(m, r->what, &none);

    if (!a)
        return NULL;
    a->enqueued_ns = device_ns(m, r->start);
    a->window = window_at(m, a->enqueued_ns);
    if (m->seen->n_windows && a->window < 0 && a->enqueued_ns < bounded(m, m->seen->window[0].go_ns))
        a->phase = AISP_PHASE_SETUP;
    return a;
}

static int64_t sane_count(int64_t n)
{
    return n > 0 && n < MOST_NS ? n : 0;
}

static void take_activity(struct maker *m, const struct record_activity *r)
{
    const struct record_call *c = call_of(m, r->correlation);
    struct aisp_device_activity *a;

    if (r->what > RECORD_MEMSET && r->what != RECORD_FAULT)
        return;
    if (c && c->how & RECORD_HARNESS)
        return;
    a = c ? add_of_call(m, r->what, c) : add_of_none(m, r);
    if (!a)
        return;
    a->device = (int32_t)r->device;
    a->context = (int32_t)r->context;
    a->stream = (int32_t)r->stream;
    a->how |= r->how & (RECORD_COOPERATIVE | RECORD_FROM_DEVICE);
    a->how |= c && m->unjoined[c - m->area->call] ? AISP_HOW_UNJOINED : 0u;
    a->start_ns = r->start ? device_ns(m, r->start) : a->enqueued_ns;
    a->end_ns = r->end ? device_ns(m, r->end) : -1;
    a->bytes = r->bytes < (uint64_t)MOST_NS ? (int64_t)r->bytes : 0;
    a->from = (int8_t)(r->from < AISP_AT_N ? r->from : AISP_AT_UNKNOWN);
    a->to = (int8_t)(r->to < AISP_AT_N ? r->to : AISP_AT_UNKNOWN);
    a->n_blocks = sane_count(r->n_blocks);
    a->n_threads = sane_count(r->n_threads);
    a->shared_bytes = sane_count(r->shared_bytes);
    copy_name(a->name, r->name);
    if (r->what == RECORD_KERNEL)
        cuda_codes_take(&m->codes, r->code, a);
    if (r->graph || (c && c->what == RECORD_GRAPH)) {
        a->how |= AISP_HOW_GRAPH;
        a->graph = (int32_t)(c && c->what == RECORD_GRAPH ? c->graph : r->graph);
    } else if (c && r->what == RECORD_COPY) {
        a->source = place_of(m, c->from, a->slot);
        a->target = place_of(m, c->to, a->slot);
    }
}

static void take_all(struct maker *m)
{
    for (uint32_t i = 0; i < m->n_calls; i++) {
        const struct record_call *c = &m->area->call[i];

        if (c->what == RECORD_CALLBACK && c->begin_ns < m->first_callback_ns && !(c->how & RECORD_HARNESS))
            m->first_callback_ns = c->begin_ns;
    }
    for (uint32_t i = 0; i < m->n_activities; i++)
        take_activity(m, &m->area->activity[i]);
    for (uint32_t i = 0; i < m->n_calls; i++) {
        const struct record_call *c = &m->area->call[i];

        take_call(m, c);
        if (!is_launch(c))
            continue;
        m->trace->audit_launches += window_of(m, c->window) >= 0;
        take_callbacks(m, c);
        take_unseen(m, c, m->has_run[i]);
    }
}

/* ---- contexts, streams, graphs ---- */

static void take_contexts(struct maker *m)
{
    for (uint32_t i = 0; i < least(m->area->n_contexts, RECORD_MOST_CONTEXTS); i++) {
        const struct record_context *r = &m->area->context[i];
        struct aisp_device_context *c = aisp_device_add_context(m->trace);

        if (!c)
            return;
        c->id = (int32_t)r->id;
        c->device = (int32_t)r->device;
        c->window = window_of(m, r->window);
        c->phase = phase_of(r->phase);
        c->is_harness = r->how & RECORD_HARNESS || (m->sample && r->id == m->sample->context);
    }
}

static void take_policies(struct maker *m)
{
    for (uint32_t i = 0; i < least(m->area->n_policies, RECORD_MOST_POLICIES); i++) {
        const struct record_policy *r = &m->area->policy[i];
        struct aisp_device_policy *p = aisp_device_add_policy(m->trace);

        if (!p)
            return;
        copy_text(p->name, r->name, sizeof p->name);
        copy_text(p->value, r->value, sizeof p->value);
        p->phase = phase_of(r->phase);
        p->window = window_of(m, r->window);
    }
}

/* Where no stream was seen to be made, the harness's is the one that its sample ran on. */
static void add_sample_stream(struct maker *m)
{
    struct aisp_device_stream *s;

    for (size_t i = 0; i < m->trace->n_streams; i++)
        if (m->trace->stream[i].is_harness)
            return;
    s = m->sample ? aisp_device_add_stream(m->trace) : NULL;
    if (!s)
        return;
    s->id = (int32_t)m->sample->stream;
    s->context = (int32_t)m->sample->context;
    s->is_harness = s->non_blocking = true;
}

static void take_streams(struct maker *m)
{
    for (uint32_t i = 0; i < least(m->area->n_streams, RECORD_MOST_STREAMS); i++) {
        const struct record_stream *r = &m->area->stream[i];
        const struct record_call *c = call_of(m, r->correlation);
        struct aisp_device_stream *s = aisp_device_add_stream(m->trace);

        if (!s)
            return;
        s->id = (int32_t)r->id;
        s->context = (int32_t)r->context;
        s->priority = r->priority;
        s->non_blocking = r->is_non_blocking;
        s->is_harness = (c && c->how & RECORD_HARNESS) ||
                        (m->sample && r->id == m->sample->stream && r->context == m->sample->context);
        s->phase = phase_of(c ? c->phase : RECORD_LOAD);
    }
}

static bool is_updated(const struct maker *m, uint32_t graph)
{
    for (uint32_t i = 0; i < m->n_calls; i++)
        if (m->area->call[i].what == RECORD_UPDATE && m->area->call[i].graph == graph)
            return true;
    return false;
}

/* Which inputs of a call it names, and of which slot all its addresses are. One that gets other arguments later may read any. */
static void look_at_hits(const struct maker *m, const struct record_graph *r, struct aisp_device_graph *g)
{
    bool is_read[64] = { false };
    int slot = -1;

    if (!r->is_described || is_updated(m, r->id) || r->n_hits > RECORD_MOST_HITS)
        return;
    g->n_inputs = m->seen->n_inputs;
    for (uint32_t i = 0; i < r->n_hits; i++) {
        const struct cuda_seen_tensor *t = tensor_at(m, r->hit[i]);

        if (!t)
            continue;
        if (t->is_input && t->tensor < 64 && !is_read[t->tensor]) {
            is_read[t->tensor] = true;
            g->n_inputs_read++;
        }
        if (t->slot >= 0)
            slot = slot == -1 || slot == t->slot ? t->slot : -2;
    }
    g->slot = slot < 0 ? -1 : slot;
}

static void take_graphs(struct maker *m)
{
    for (uint32_t i = 0; i < least(m->area->n_graphs, RECORD_MOST_GRAPHS); i++) {
        const struct record_graph *r = &m->area->graph[i];
        struct aisp_device_graph *g = aisp_device_add_graph(m->trace);

        if (!g)
            return;
        g->id = (int32_t)r->id;
        g->window = window_of(m, r->window);
        g->phase = phase_of(r->phase);
        g->n_kernels = (int32_t)sane_count(r->n_kernels);
        g->n_copies = (int32_t)sane_count(r->n_copies);
        g->n_memsets = (int32_t)sane_count(r->n_memsets);
        g->n_callbacks = (int32_t)sane_count(r->n_callbacks);
        look_at_hits(m, r, g);
    }
}

/* ---- windows, and whether the recorder was there in each ---- */

static int64_t within(int64_t ns, int64_t most_ns)
{
    return ns < 0 ? 0 : ns > most_ns ? most_ns : ns;
}

/* When the device reached the harness's marks: the first event that it recorded in the window, and the last. */
static void find_marks(const struct maker *m, int32_t window, struct aisp_device_window *w)
{
    for (uint32_t i = 0; i < m->n_activities; i++) {
        const struct record_activity *r = &m->area->activity[i];
        const struct record_call *c = r->what == RECORD_EVENT ? call_of(m, r->correlation) : NULL;
        int64_t ns;

        if (!c || !(c->how & RECORD_HARNESS) || c->window != window)
            continue;
        ns = device_ns(m, r->start);
        if (ns < w->go_ns - m->trace->clock_error_ns || ns > w->done_ns + m->trace->clock_error_ns)
            continue; /* of a clock that is not this one */
        w->start_mark_ns = w->start_mark_ns && w->start_mark_ns < ns ? w->start_mark_ns : ns;
        w->stop_mark_ns = w->stop_mark_ns > ns ? w->stop_mark_ns : ns;
    }
    if (w->start_mark_ns == w->stop_mark_ns)
        w->start_mark_ns = w->stop_mark_ns = 0;
}

static bool is_recorded(const struct maker *m, int32_t window)
{
    int n_marks = 0, n_waits = 0;

    for (uint32_t i = 0; i < m->n_calls; i++) {
        const struct record_call *c = &m->area->call[i];

        if (c->window != window || !(c->how & RECORD_HARNESS))
            continue;
        n_marks += c->what == RECORD_EVENT;
        n_waits += c->what == RECORD_SYNC;
    }
    return n_marks >= 2 && n_waits >= 1;
}

static void take_windows(struct maker *m)
{
    m->trace->alive = m->area->is_complete && m->sample && m->area->n_flushes >= (uint32_t)m->seen->n_windows;
    for (int32_t i = 0; i < m->seen->n_windows; i++) {
        const struct cuda_seen_window *s = &m->seen->window[i];
        const struct record_window *r = &m->area->window[i];
        struct aisp_device_window *w = aisp_device_add_window(m->trace);

        if (!w)
            return;
        w->phase = AISP_PHASE_TIMED;
        w->calls = s->calls;
        w->go_ns = bounded(m, s->go_ns);
        w->done_ns = bounded(m, s->done_ns);
        w->event_ns = within(s->event_ns, MOST_NS);
        w->probe_before_ns = s->probe_before_ns;
        w->probe_after_ns = s->probe_after_ns;
        w->api_ns = within(r->api_ns, MOST_NS);
        w->n_api = within(r->n_api, MOST_NS);
        w->workspace_poisoned = s->is_poisoned && m->area->workspace_bytes;
        w->host_cpu_ns = within(s->cpu_ns - s->gap_ns - w->api_ns - within(r->own_ns, MOST_NS), MOST_NS);
        find_marks(m, i, w);
        m->trace->audit_calls += s->calls;
        m->trace->alive = m->trace->alive && (is_recorded(m, i) || m->trace->n_dropped);
    }
}

static int64_t n_beyond(const struct record_area *a)
{
    const struct { uint32_t n, most; } list[] = {
        { a->n_calls, RECORD_MOST_CALLS },     { a->n_activities, RECORD_MOST_ACTIVITIES }, { a->n_streams, RECORD_MOST_STREAMS },
        { a->n_graphs, RECORD_MOST_GRAPHS },   { a->n_contexts, RECORD_MOST_CONTEXTS },
    };
    int64_t n = a->n_lost < (uint64_t)UINT32_MAX ? (int64_t)a->n_lost : UINT32_MAX;

    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        n += list[i].n > list[i].most ? list[i].n - list[i].most : 0;
    return n;
}

void cuda_trace_make(const struct record_area *area, const struct cuda_seen *seen, struct aisp_device_trace *trace)
{
    enum { MOST_SLACK_NS = 200000 };
    struct maker m = { .area = area, .seen = seen, .trace = trace, .first_callback_ns = INT64_MAX };

    cuda_clock_init(&m.clock, area);
    if (area->version != RECORD_VERSION || area->state != RECORD_ON || !m.clock.n)
        return;
    trace->taken = true;
    trace->n_dropped += n_beyond(area);
    m.n_calls = least(area->n_calls, RECORD_MOST_CALLS);
    m.n_activities = least(area->n_activities, RECORD_MOST_ACTIVITIES);
    trace->clock_error_ns = m.clock.error_ns;
    trace->idle_probe_ns = seen->idle_probe_ns;
    trace->window_slack_ns = within(area->slack_ns, MOST_SLACK_NS);
    trace->pool_at_start_bytes = area->pool_bytes < (uint64_t)MOST_NS ? (int64_t)area->pool_bytes : MOST_NS;
    index_calls(&m);
    cuda_codes_init(&m.codes, area);
    find_sample(&m);
    take_windows(&m);
    take_contexts(&m);
    take_policies(&m);
    take_streams(&m);
    add_sample_stream(&m);
    take_graphs(&m);
    find_order(&m);
    take_all(&m);
    cuda_codes_count(&m.codes, area, trace);
    free(m.join);
    free(m.has_run);
    free(m.unjoined);
    free(m.touches_host);
    free(m.ran_on);
}
