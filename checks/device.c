/* device.c - walk a device's trace, and put what is found there into words. */
#include "checks/device.h"

#include <stdio.h>

#include "core/plugin.h"

const struct aisp_device_trace *aisp_device_of(const struct aisp_evidence *ev, int side)
{
    return ev->device_trace[side].taken ? &ev->device_trace[side] : NULL;
}

bool aisp_device_declares(const struct aisp_evidence *ev, int side, const char *what)
{
    return aisp_declaration_uses(&ev->variant[side].decl, what);
}

int64_t aisp_device_tolerance_ns(const struct aisp_device_trace *t)
{
    return 1000 + 2 * (t->clock_error_ns > 0 ? t->clock_error_ns : 0);
}

int64_t aisp_device_probe_limit_ns(const struct aisp_device_trace *t)
{
    return 4 * t->idle_probe_ns + 20000;
}

int32_t aisp_device_busy_window(const struct aisp_device_trace *t,
                                int64_t (*probe_ns)(const struct aisp_device_trace *t, int32_t window))
{
    int32_t first = -1, n = 0, n_busy = 0;

    if (t->idle_probe_ns <= 0)
        return -1;
    for (int32_t i = 1; i < (int32_t)t->n_windows; i++) {
        const int64_t ns = probe_ns(t, i);

        n += ns >= 0;
        if (ns <= aisp_device_probe_limit_ns(t))
            continue;
        n_busy++;
        first = first < 0 ? i : first;
    }
    return n_busy >= 2 && 2 * n_busy >= n ? first : -1;
}

void aisp_device_where(const struct aisp_evidence *ev, int side,
                       const struct aisp_device_activity *a, char text[192])
{
    int n = snprintf(text, 192, "%s, %s %.40s on stream %d", ev->variant[side].name,
                     aisp_device_kind_name(a->kind), a->name, a->stream);

    if (n < 192 && a->window >= 0)
        snprintf(text + n, (size_t)(192 - n), ", call %d of audit window %d", a->call, a->window);
    else if (n < 192)
        snprintf(text + n, (size_t)(192 - n), ", %s",
                 a->phase <= AISP_PHASE_SETUP ? aisp_phase_name((enum aisp_phase)a->phase)
                                              : "between windows");
}

bool aisp_device_is_work(const struct aisp_device_activity *a)
{
    return a->kind == AISP_DEVICE_KERNEL || a->kind == AISP_DEVICE_COPY ||
           a->kind == AISP_DEVICE_MEMSET;
}

bool aisp_device_is_harness_stream(const struct aisp_device_trace *t,
                                   const struct aisp_device_activity *a)
{
    for (size_t i = 0; i < t->n_streams; i++)
        if (t->stream[i].id == a->stream && t->stream[i].context == a->context)
            return t->stream[i].is_harness;
    return false;
}

bool aisp_device_is_harness_context(const struct aisp_device_trace *t,
                                    const struct aisp_device_activity *a)
{
    for (size_t i = 0; i < t->n_contexts; i++)
        if (t->context[i].id == a->context)
            return t->context[i].is_harness;
    return false;
}

/* A kernel that has no end, or that was there when a window which it does not belong to began. */
static bool is_resident(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    if (a->kind != AISP_DEVICE_KERNEL)
        return false;
    if (a->end_ns < 0)
        return true;
    for (size_t i = 0; i < t->n_windows; i++) {
        const struct aisp_device_window *w = &t->window[i];
        const bool is_own = a->window == (int32_t)i, is_throughout = a->end_ns >= w->done_ns;

        if (!is_own && a->start_ns < w->go_ns && a->end_ns > w->go_ns &&
            (a->window < 0 || is_throughout))
            return true;
    }
    return false;
}

enum aisp_late aisp_device_lateness(const struct aisp_device_trace *t,
                                    const struct aisp_device_activity *a, int64_t *by_ns)
{
    const int64_t tolerance_ns = aisp_device_tolerance_ns(t);
    const bool is_resident_one = is_resident(t, a);
    const struct aisp_device_window *w;
    bool is_unjoined;

    *by_ns = -1;
    if (!aisp_device_is_work(a))
        return AISP_IN_TIME;
    if (a->window >= 0 && a->end_ns >= 0) {
        w = &t->window[a->window];
        *by_ns = a->end_ns - w->done_ns;
        if (*by_ns <= tolerance_ns && w->stop_mark_ns > 0)
            *by_ns = a->end_ns - w->stop_mark_ns;
    }
    is_unjoined = !is_resident_one && a->window >= 0 && *by_ns <= tolerance_ns && a->how & AISP_HOW_UNJOINED;
    if (!is_resident_one && !is_unjoined && (a->window < 0 || *by_ns <= tolerance_ns))
        return AISP_IN_TIME;
    if (a->how & AISP_HOW_FROM_CALLBACK)
        return AISP_LATE_CALLBACK;
    if (is_resident_one)
        return AISP_LATE_RESIDENT;
    if (a->how & AISP_HOW_FROM_DEVICE)
        return AISP_LATE_CHILD;
    if (a->kind == AISP_DEVICE_COPY && (a->to == AISP_AT_PINNED || a->to == AISP_AT_PAGEABLE))
        return AISP_LATE_TO_HOST;
    if (!aisp_device_is_harness_context(t, a)) /* the given stream could wait for none of it */
        return AISP_LATE_OTHER;
    if (is_unjoined && a->kind != AISP_DEVICE_COPY) /* in time, by luck */
        return AISP_LATE_STREAM;
    if (a->kind == AISP_DEVICE_COPY)
        return AISP_LATE_COPY;
    if (!aisp_device_is_harness_stream(t, a))
        return AISP_LATE_STREAM;
    return a->how & AISP_HOW_PROGRAMMATIC ? AISP_LATE_TRIGGER : AISP_LATE_OTHER;
}

static void find_late_work(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                           const struct aisp_device_activity *a, int64_t by_ns, const char *advice,
                           int64_t n, struct aisp_findings *out)
{
    const struct aisp_device_window *w =
        a->window >= 0 ? &ev->device_trace[side].window[a->window] : NULL;
    char where[192], when[96] = "was never seen to end";

    aisp_device_where(ev, side, a, where);
    if (w && a->end_ns >= 0 && by_ns <= aisp_device_tolerance_ns(&ev->device_trace[side]))
        snprintf(when, sizeof when, "the stop mark does not wait for it, whenever it ends");
    else if (w && a->end_ns >= 0)
        snprintf(when, sizeof when, "ended %.1f us after %s", 1e-3 * (double)by_ns,
                 a->end_ns - w->done_ns == by_ns ? "done" : "the stop mark");
    else if (a->end_ns >= 0)
        snprintf(when, sizeof when, "ran on for %.1f us, through the windows",
                 1e-3 * (double)(a->end_ns - a->start_ns));
    aisp_find(out, self, AISP_VIOLATION, side, "%s: %s; %s (%lld of this kind)", where, when,
              advice, (long long)n);
}

void aisp_find_late(const struct aisp_check *self, const struct aisp_evidence *ev,
                    enum aisp_late late, const char *advice, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);
        const struct aisp_device_activity *first = NULL;
        int64_t first_by_ns = 0, by_ns, n = 0;

        for (size_t i = 0; t && i < t->n_activities; i++) {
            if (aisp_device_lateness(t, &t->activity[i], &by_ns) != late)
                continue;
            if (!n++ || (first_by_ns <= aisp_device_tolerance_ns(t) && by_ns > aisp_device_tolerance_ns(t))) {
                first = &t->activity[i]; /* one that was late tells more than one that was in time by luck */
                first_by_ns = by_ns;
            }
        }
        if (first)
            find_late_work(self, ev, side, first, first_by_ns,
                           late == AISP_LATE_OTHER && first->end_ns >= 0 && first_by_ns <= aisp_device_tolerance_ns(t)
                               ? "nobody waits for another context, and done was said after it by luck"
                               : advice,
                           n, out);
    }
}

const struct aisp_device_activity *aisp_device_first(
    const struct aisp_device_trace *t,
    bool (*is)(const struct aisp_device_trace *t, const struct aisp_device_activity *a), int64_t *n)
{
    const struct aisp_device_activity *first = NULL;

    *n = 0;
    for (size_t i = 0; i < t->n_activities; i++) {
        if (!is(t, &t->activity[i]))
            continue;
        first = first ? first : &t->activity[i];
        ++*n;
    }
    return first;
}

const struct aisp_device_activity *aisp_device_seek(
    const struct aisp_evidence *ev, int side,
    bool (*is)(const struct aisp_device_trace *t, const struct aisp_device_activity *a),
    char where[192], int64_t *n)
{
    const struct aisp_device_trace *t = aisp_device_of(ev, side);
    const struct aisp_device_activity *first = t ? aisp_device_first(t, is, n) : NULL;

    if (first)
        aisp_device_where(ev, side, first, where);
    return first;
}

void aisp_find_undeclared(const struct aisp_check *self, const struct aisp_evidence *ev,
                          const char *word,
                          bool (*is)(const struct aisp_device_trace *t,
                                     const struct aisp_device_activity *a),
                          const char *what, struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_activity *first;
        char where[192];
        int64_t n;

        if (aisp_device_declares(ev, side, word))
            continue;
        first = aisp_device_seek(ev, side, is, where, &n);
        if (!first)
            continue;
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: %s was not declared (uses: %s); %lld of them", where, what, word,
                  (long long)n);
    }
}
