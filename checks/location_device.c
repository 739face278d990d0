/* location_device.c - was the work done on the device, in the call that asked for it, out of its contents? */
#include <stdlib.h>

#include "checks/device.h"
#include "core/base/buf.h"

static bool is_upload(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_COPY && a->window >= 0 && a->target >= 0 &&
           (a->from == AISP_AT_PINNED || a->from == AISP_AT_PAGEABLE);
}

/* CPU time of an honest window's process that lies beside the window: it wakes, spins for go, is recorded, and goes to sleep. Up to
 * 0.9 ms were seen in 95 % of an H100's, whose windows lasted 0.1 ms. */
enum { BESIDE_NS = 1000000 };

static bool is_of_device(const struct aisp_device_activity *a)
{
    return a->kind == AISP_DEVICE_KERNEL ||
           (a->kind == AISP_DEVICE_COPY && a->from != AISP_AT_PINNED && a->from != AISP_AT_PAGEABLE);
}

static void host_at_work(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                         struct aisp_findings *out)
{
    const struct aisp_device_trace *t = aisp_device_of(ev, side);
    double window_ns = 0, host_ns = 0, device_ns = 0;

    for (size_t i = 1; i < t->n_windows; i++) {
        window_ns += (double)(t->window[i].done_ns - t->window[i].go_ns);
        if (t->window[i].host_cpu_ns > BESIDE_NS)
            host_ns += (double)(t->window[i].host_cpu_ns - BESIDE_NS);
    }
    for (size_t i = 0; i < t->n_activities; i++) {
        const struct aisp_device_activity *a = &t->activity[i];

        if (is_of_device(a) && a->window >= 1 && a->end_ns > a->start_ns)
            device_ns += (double)(a->end_ns - a->start_ns);
    }
    if (window_ns > 0 && !t->n_dropped && 2 * host_ns > window_ns && 32 * device_ns < window_ns)
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: in audit windows of %.1f us in all its threads computed for at least %.1f us and "
                  "the device for %.1f us: the work is the host's (uses: host-compute)",
                  ev->variant[side].name, 1e-3 * window_ns, 1e-3 * host_ns, 1e-3 * device_ns);
}

static void cpu_spillover_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                                 struct aisp_findings *out)
{
    aisp_find_undeclared(self, ev, "host-compute", is_upload,
                         "an output that comes from host memory", out);
    for (int side = AISP_A; side <= AISP_B; side++)
        if (aisp_device_of(ev, side) && !aisp_device_declares(ev, side, "host-compute"))
            host_at_work(self, ev, side, out);
}

AISP_CHECK(cpu_spillover_device_check) = {
    .issue = 29,
    .name = "cpu-spillover-device",
    .family = "location",
    .title = "What is compared as work of a device is done there, not on the host and uploaded",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 11,
    .examine = cpu_spillover_device,
};

static bool is_of_graph(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return (a->how & AISP_HOW_GRAPH) && a->window >= 0;
}

static bool is_replayed(const struct aisp_device_trace *t, int32_t graph)
{
    for (size_t i = 0; i < t->n_activities; i++)
        if (t->activity[i].graph == graph && is_of_graph(t, &t->activity[i]))
            return true;
    return false;
}

static bool has_other_work(const struct aisp_device_trace *t, const struct aisp_device_activity *of)
{
    for (size_t i = 0; i < t->n_activities; i++) {
        const struct aisp_device_activity *a = &t->activity[i];

        if (a->window == of->window && a->call == of->call && aisp_device_is_work(a) && !(is_of_graph(t, a) && a->graph == of->graph))
            return true;
    }
    return false;
}

/* In some call nothing else is done: what could be computed elsewhere and moved by the graph was not computed in that call. */
static bool is_all_of_a_call(const struct aisp_device_trace *t, int32_t graph)
{
    for (size_t i = 0; i < t->n_activities; i++) {
        const struct aisp_device_activity *a = &t->activity[i];

        if (a->graph == graph && is_of_graph(t, a) && aisp_device_is_work(a) && !has_other_work(t, a))
            return true;
    }
    return false;
}

static bool has_wrong_window(const struct aisp_device_trace *t)
{
    for (size_t i = 0; i < t->n_windows; i++)
        if (t->window[i].n_wrong > 0)
            return true;
    return false;
}

static void find_blind(const struct aisp_check *self, const struct aisp_evidence *ev, int side, const struct aisp_device_graph *g,
                       bool is_baked, struct aisp_findings *out)
{
    aisp_find(out, self, is_baked ? AISP_VIOLATION : AISP_NOTE, side,
              "%s: graph %d has %d kernels, %d copies and %d host functions, and names %d of %d inputs: %s",
              ev->variant[side].name, g->id, g->n_kernels, g->n_copies, g->n_callbacks, g->n_inputs_read, g->n_inputs,
              !is_baked      ? "it comes to them another way, for its answers to new contents are right"
              : g->n_kernels ? "what it computes was fixed when it was captured"
                             : "it only moves a stored answer");
}

/* A graph that can only give what was there before the call: none of its nodes names an input. Its kernels may come to the inputs
 * by a table of pointers, or by memory that another graph filled: contents are new in every window, so a right answer is no old
 * one, and that is a note. */
static void baked_graph(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                        struct aisp_findings *out)
{
    const struct aisp_device_trace *t = aisp_device_of(ev, side);
    const struct aisp_device_graph *unbaked = NULL;
    const bool is_wrong = has_wrong_window(t);

    for (size_t i = 0; i < t->n_graphs; i++) {
        const struct aisp_device_graph *g = &t->graph[i];

        if (g->n_inputs <= 0 || g->n_inputs_read > 0 || !is_replayed(t, g->id))
            continue;
        if (is_wrong || (!g->n_kernels && !t->n_dropped && is_all_of_a_call(t, g->id))) {
            find_blind(self, ev, side, g, true, out);
            return;
        }
        unbaked = unbaked ? unbaked : g;
    }
    if (unbaked)
        find_blind(self, ev, side, unbaked, false, out);
}

/* Every call has to do its own work: one that enqueues nothing was answered by another. */
static void idle_call(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                      struct aisp_findings *out)
{
    const struct aisp_device_trace *t = aisp_device_of(ev, side);

    for (int32_t window = 1; window < (int32_t)t->n_windows; window++) {
        const int64_t calls = t->window[window].calls;
        int64_t most = 0, *n;

        if (calls > AISP_DEVICE_MOST_ACTIVITIES)
            continue;
        n = aisp_xcalloc((size_t)calls, sizeof *n);
        for (size_t i = 0; i < t->n_activities; i++) {
            const struct aisp_device_activity *a = &t->activity[i];

            if (a->window == window && aisp_device_is_work(a) && a->call >= 0 && a->call < calls)
                most = ++n[a->call] > most ? n[a->call] : most;
        }
        for (int64_t call = 0; call < calls && most; call++) {
            if (n[call])
                continue;
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s, audit window %d: call %lld enqueued nothing and another one %lld pieces "
                      "of work: one call does the others' work",
                      ev->variant[side].name, window, (long long)call, (long long)most);
            free(n);
            return;
        }
        free(n);
    }
}

static void graph_capture(const struct aisp_check *self, const struct aisp_evidence *ev,
                          struct aisp_findings *out)
{
    aisp_find_undeclared(self, ev, "graph", is_of_graph, "a graph", out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);

        if (!t)
            continue;
        baked_graph(self, ev, side, out);
        if (!t->n_dropped && !aisp_device_declares(ev, side, "persistent"))
            idle_call(self, ev, side, out);
    }
}

AISP_CHECK(graph_capture_check) = {
    .issue = 31,
    .name = "graph-capture",
    .family = "location",
    .title = "A replayed graph computes each call's answer out of that call's contents",
    .needs = "gpu",
    .incident = "a graph captured over the checker's whole sequence of calls, 2025",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = graph_capture,
};

static bool is_in_gap(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    int64_t by_ns;

    return aisp_device_is_work(a) && a->window < 0 && a->phase > AISP_PHASE_SETUP &&
           a->phase < AISP_PHASE_TEARDOWN && !(a->how & AISP_HOW_FROM_CALLBACK) &&
           aisp_device_lateness(t, a, &by_ns) == AISP_IN_TIME;
}

static void background_thread_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                                     struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_activity *first;
        char where[192];
        int64_t n;

        first = aisp_device_seek(ev, side, is_in_gap, where, &n);
        if (!first)
            continue;
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: the device worked for %.1f us while nothing was asked of it (%lld times)",
                  where, 1e-3 * (double)(first->end_ns - first->start_ns), (long long)n);
    }
}

AISP_CHECK(background_thread_device_check) = {
    .issue = 33,
    .name = "background-thread-device",
    .family = "location",
    .title = "Between windows the device is idle: no work is moved to where no clock runs",
    .needs = "gpu",
    .incident = "a timer thread that launched in the gap between timed calls, 2025",
    .severity = AISP_VIOLATION,
    .rank = 8,
    .examine = background_thread_device,
};

static bool is_late_build(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_COMPILE && a->window >= 1;
}

static void jit_timing_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                              struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_activity *late;
        char where[192];
        int64_t n;

        late = aisp_device_seek(ev, side, is_late_build, where, &n);
        if (late)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: took %.1f us of a timed window (%lld of them): what is compared is the "
                      "compiler",
                      where, 1e-3 * (double)(late->end_ns - late->start_ns), (long long)n);
    }
}

AISP_CHECK(jit_timing_device_check) = {
    .issue = 35,
    .name = "jit-timing-device",
    .family = "location",
    .title = "Modules are loaded and compiled in setup, for both sides from empty caches",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 12,
    .examine = jit_timing_device,
};
