/* timing_device.c - was all work of a window over when the clock stopped, by every clock that saw it? */

#include "checks/device.h"
#include "checks/observed.h"

static bool is_side_stream(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    const uint32_t elsewhere = AISP_HOW_GRAPH | AISP_HOW_FROM_CALLBACK | AISP_HOW_FROM_DEVICE;

    return aisp_device_is_work(a) && a->window >= 0 && !(a->how & elsewhere) &&
           aisp_device_is_harness_context(t, a) && !aisp_device_is_harness_stream(t, a);
}

/* Right wherever contents are there when a call is made, and old or missing wherever they come after it. */
static void ahead_of_release(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_held_facts *held = &ev->held;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_UNWRITTEN);
        char where[192];

        if (!o)
            o = aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_WRONG_OUTPUT, AISP_WRONG_STALE);
        if (held->scope != AISP_SCOPE_KERNEL || !o || !held->n_wrong[side] || !held->n_right_free[side])
            continue;
        aisp_observed_where(ev, o, where, sizeof where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: %s; wrong in %lld held windows, whose contents come after their calls are queued, and right in the "
                  "%lld calls compared that were not held: it works without waiting for the given stream",
                  where, o->kind == AISP_WRONG_STALE ? "the answer is that of contents before" : "the answer is not there",
                  (long long)held->n_wrong[side], (long long)held->n_right_free[side]);
    }
}

static void unsynced_streams(const struct aisp_check *self, const struct aisp_evidence *ev,
                             struct aisp_findings *out)
{
    ahead_of_release(self, ev, out);
    aisp_find_late(self, ev, AISP_LATE_STREAM, "the given stream does not wait for this one", out);
    aisp_find_undeclared(self, ev, "streams", is_side_stream, "a stream of its own", out);
}

AISP_CHECK(unsynced_streams_check) = {
    .issue = 1,
    .name = "unsynced-streams",
    .family = "timing",
    .title =
        "Work on any stream is over before the given stream's stop mark, or its time is no result",
    .needs = "gpu",
    .incident = "82 of 250 generated kernels ran on streams that nobody waited for, 2025",
    .severity = AISP_VIOLATION,
    .rank = 8,
    .examine = unsynced_streams,
};

static bool has_late_work(const struct aisp_device_trace *t, int32_t window)
{
    int64_t by_ns;

    for (size_t i = 0; i < t->n_activities; i++)
        if (t->activity[i].window == window &&
            aisp_device_lateness(t, &t->activity[i], &by_ns) != AISP_IN_TIME)
            return true;
    return false;
}

static bool has_resident(const struct aisp_device_trace *t)
{
    int64_t by_ns;

    for (size_t i = 0; i < t->n_activities; i++)
        if (aisp_device_lateness(t, &t->activity[i], &by_ns) == AISP_LATE_RESIDENT)
            return true;
    return false;
}

static int64_t probe_after_ns(const struct aisp_device_trace *t, int32_t window)
{
    return has_late_work(t, window) ? -1 : t->window[window].probe_after_ns;
}

static void busy_after_done(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                            struct aisp_findings *out)
{
    const struct aisp_device_trace *t = aisp_device_of(ev, side);
    const int32_t window = t && !has_resident(t) ? aisp_device_busy_window(t, probe_after_ns) : -1;

    if (window < 0)
        return;
    aisp_find(out, self, AISP_VIOLATION, side,
              "%s, audit window %d: a copy right after done took %.1f us, on an idle device it takes %.1f us, and so in half of "
              "the windows: the device was busy still, with work that no record shows",
              ev->variant[side].name, window, 1e-3 * (double)t->window[window].probe_after_ns, 1e-3 * (double)t->idle_probe_ns);
}

enum { LEAST_ANSWERS = 16 };
static const int64_t APART_NS = 100000;

static void find_busy(const struct aisp_check *self, const struct aisp_evidence *ev, int side, int64_t from_ns, int64_t usual_ns,
                      const char *whose, struct aisp_findings *out)
{
    aisp_find(out, self, AISP_VIOLATION, side,
              "%s: right after done the card took %.0f us or more to answer, in three of four of %lld windows, and %s at most %.0f "
              "us: it was busy still",
              ev->variant[side].name, 1e-3 * (double)from_ns, (long long)ev->answers[side].n, whose, 1e-3 * (double)usual_ns);
}

/* Of the scored windows: the judge's first copy and two tiny kernels, right after done. What a card's turn from one context to
 * another takes both sides pay. A host that puts the judge aside does so in some windows, and on both sides: a quarter of one
 * side's has to take longer than three quarters of the other's. */
static void busy_in_scored_windows(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    int64_t from_ns[2], below_ns[2], ignored;
    bool are_both_long = true;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);

        if (ev->answers[side].n < LEAST_ANSWERS)
            return;
        aisp_answers_quantile(&ev->answers[side], 25, &from_ns[side], &ignored);
        aisp_answers_quantile(&ev->answers[side], 75, &ignored, &below_ns[side]);
        are_both_long &= t && t->idle_probe_ns > 0 && from_ns[side] > aisp_device_probe_limit_ns(t) + APART_NS;
    }
    for (int side = AISP_A; side <= AISP_B; side++) {
        if (from_ns[side] > below_ns[!side] + APART_NS)
            find_busy(self, ev, side, from_ns[side], below_ns[!side], ev->variant[!side].name, out);
        else if (are_both_long)
            find_busy(self, ev, side, from_ns[side], ev->device_trace[side].idle_probe_ns, "an idle one", out);
    }
}

static void incomplete_async_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                                    struct aisp_findings *out)
{
    aisp_find_late(self, ev, AISP_LATE_OTHER, "the worker said done before its device was", out);
    for (int side = AISP_A; side <= AISP_B; side++)
        busy_after_done(self, ev, side, out);
    busy_in_scored_windows(self, ev, out);
}

AISP_CHECK(incomplete_async_device_check) = {
    .issue = 2,
    .name = "incomplete-async-device",
    .family = "timing",
    .title = "When a worker says done its device is idle, in every context",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 9,
    .examine = incomplete_async_device,
};

/* From the first begin to the last end of a window's work on the device. */
static int64_t span_of(const struct aisp_device_trace *t, int32_t window)
{
    int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;

    for (size_t i = 0; i < t->n_activities; i++) {
        const struct aisp_device_activity *a = &t->activity[i];

        if (a->window != window || !aisp_device_is_work(a))
            continue;
        begin_ns = a->start_ns < begin_ns ? a->start_ns : begin_ns;
        end_ns = a->end_ns > end_ns ? a->end_ns : end_ns;
    }
    return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

/* Memory that a window gave back to its pool goes back to the system when the device is waited for: that lies behind the stop mark,
 * on the host, in the supervisor's window. 80 us were seen on an H100. */
static bool gives_memory_back(const struct aisp_device_trace *t, int32_t window)
{
    for (size_t i = 0; i < t->n_activities; i++)
        if (t->activity[i].window == window && t->activity[i].kind == AISP_DEVICE_FREE)
            return true;
    return false;
}

/* What the events say is what lay between the harness's marks, by the device's own clock: up to 27 us apart were seen in honest
 * windows of an H100. */
static bool marks_agree(const struct aisp_device_window *w, int64_t within_ns)
{
    const int64_t apart_ns = w->event_ns - (w->stop_mark_ns - w->start_mark_ns);

    return w->stop_mark_ns > 0 && apart_ns <= within_ns && -apart_ns <= within_ns;
}

/* How much of a window its events leave out, beyond what is usual and what is allowed. An honest one was seen to end 20 us later
 * than is usual. */
static int64_t left_out_ns(const struct aisp_device_trace *t, int32_t window)
{
    const struct aisp_device_window *w = &t->window[window];
    const int64_t window_ns = w->done_ns - w->go_ns, slack_ns = window_ns / 20 > 40000 ? window_ns / 20 : 40000;

    return window_ns - w->event_ns - t->window_slack_ns - slack_ns;
}

/* A host that was kept waiting (235 us were seen on a crowded one) is that in some windows: one that works is so in all. */
static bool is_left_out_of_all(const struct aisp_device_trace *t)
{
    for (size_t i = 1; i < t->n_windows; i++)
        if (left_out_ns(t, (int32_t)i) <= 0)
            return false;
    return true;
}

/* Three clocks: what is wrong with this window's, or NULL. */
static const char *disagreement(const struct aisp_device_trace *t, int32_t window, int64_t *span_ns)
{
    const struct aisp_device_window *w = &t->window[window];
    const int64_t window_ns = w->done_ns - w->go_ns, tolerance_ns = aisp_device_tolerance_ns(t),
                  apart_ns = window_ns / 20 > 40000 ? window_ns / 20 : 40000;

    *span_ns = span_of(t, window);
    if (w->event_ns <= 0)
        return NULL;
    if (w->event_ns > window_ns + tolerance_ns)
        return "events cannot last longer than the window that holds them";
    if (*span_ns > w->event_ns + tolerance_ns)
        return "the device worked for longer than the events say";
    if (left_out_ns(t, window) > 0 &&
        !(marks_agree(w, apart_ns) && (gives_memory_back(t, window) || !is_left_out_of_all(t))))
        return "the events leave out a part of the window";
    return NULL;
}

static void event_timing_gaps(const struct aisp_check *self, const struct aisp_evidence *ev,
                              struct aisp_findings *out)
{
    aisp_find_late(self, ev, AISP_LATE_TRIGGER,
                   "a programmatic launch let the stop mark pass before it", out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);

        for (int32_t i = 1; t && i < (int32_t)t->n_windows; i++) {
            const struct aisp_device_window *w = &t->window[i];
            int64_t span_ns;
            const char *what = disagreement(t, i, &span_ns);

            if (!what || has_late_work(t, i))
                continue;
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s, audit window %d: supervisor %.1f us, events %.1f us, work on the device %.1f us: %s",
                      ev->variant[side].name, i, 1e-3 * (double)(w->done_ns - w->go_ns),
                      1e-3 * (double)w->event_ns, 1e-3 * (double)span_ns, what);
            break;
        }
    }
}

AISP_CHECK(event_timing_gaps_check) = {
    .issue = 3,
    .name = "event-timing-gaps",
    .family = "timing",
    .title = "Events are never the score; they, the supervisor and the device's records must agree",
    .needs = "gpu",
    .incident = "an end event recorded before the work it should have measured, 2025",
    .severity = AISP_VIOLATION,
    .rank = 10,
    .examine = event_timing_gaps,
};
