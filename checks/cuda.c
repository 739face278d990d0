/* cuda.c - what only a GPU's programming model offers: host functions, contexts, other devices, cooperative and nested launches.
 * Each may be used where it is declared; none may carry work past the clock. */
#include "checks/device.h"

static bool is_callback(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_CALLBACK && a->phase > AISP_PHASE_SETUP;
}

static bool is_escaped(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    int64_t by_ns;

    return aisp_device_is_work(a) && a->how & AISP_HOW_FROM_CALLBACK && a->window < 0 &&
           aisp_device_lateness(t, a, &by_ns) == AISP_IN_TIME;
}

static void host_callback(const struct aisp_check *self, const struct aisp_evidence *ev,
                          struct aisp_findings *out)
{
    aisp_find_late(self, ev, AISP_LATE_CALLBACK, "a host function enqueued it behind the clock",
                   out);
    aisp_find_undeclared(self, ev, "host-callback", is_callback, "a host function on a stream",
                         out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_activity *first;
        char where[192];
        int64_t n;

        first = aisp_device_seek(ev, side, is_escaped, where, &n);
        if (!first)
            continue;
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: a host function enqueued it outside of every window (%lld of them)", where,
                  (long long)n);
    }
}

AISP_CHECK(host_callback_check) = {
    .issue = 43,
    .name = "host-callback",
    .family = "cuda",
    .title =
        "Host functions on streams are declared, and nothing that they start outlives the window",
    .needs = "gpu",
    .incident = "a host function that signalled a launcher thread after the stop event, 2025",
    .severity = AISP_VIOLATION,
    .rank = 4,
    .examine = host_callback,
};

static void async_memcpy(const struct aisp_check *self, const struct aisp_evidence *ev,
                         struct aisp_findings *out)
{
    aisp_find_late(self, ev, AISP_LATE_COPY, "the copy was left in flight", out);
}

AISP_CHECK(async_memcpy_check) = {
    .issue = 44,
    .name = "async-memcpy",
    .family = "cuda",
    .title = "A copy on the device is over before the stop mark",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = async_memcpy,
};

/* What a side's windows looked like where the workspace kept what it had [0], and where it was poisoned before [1]. */
struct tally {
    int64_t n, n_compared, n_wrong;
    double least_ns, most_ns; /* of kernels, a call */
};

static void tally_windows(const struct aisp_device_trace *t, struct tally tally[2])
{
    for (int32_t i = 1; i < (int32_t)t->n_windows; i++) {
        const struct aisp_device_window *w = &t->window[i];
        struct tally *to = &tally[w->workspace_poisoned];
        double ns = 0;

        for (size_t k = 0; k < t->n_activities; k++) {
            const struct aisp_device_activity *a = &t->activity[k];

            if (a->window == i && a->kind == AISP_DEVICE_KERNEL && a->end_ns > a->start_ns)
                ns += (double)(a->end_ns - a->start_ns);
        }
        ns /= (double)w->calls;
        to->least_ns = to->n == 0 || ns < to->least_ns ? ns : to->least_ns;
        to->most_ns = ns > to->most_ns ? ns : to->most_ns;
        to->n++;
        to->n_compared += w->n_compared;
        to->n_wrong += w->n_wrong;
    }
}

static void workspace_precompute(const struct aisp_check *self, const struct aisp_evidence *ev,
                                 struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);
        struct tally tally[2] = { { 0 } }, *kept = &tally[0], *poisoned = &tally[1];

        if (!t)
            continue;
        tally_windows(t, tally);
        if (kept->n_compared > 0 && !kept->n_wrong && poisoned->n_wrong > 0)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: %lld of %lld calls are wrong where the workspace was poisoned before, 0 "
                      "of %lld where it kept its contents: answers are kept there",
                      ev->variant[side].name, (long long)poisoned->n_wrong,
                      (long long)poisoned->n_compared, (long long)kept->n_compared);
        else if (kept->n > 0 && poisoned->n > 0 && kept->most_ns > 0 &&
                 poisoned->least_ns > 1.5 * kept->most_ns)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: a call's kernels take %.1f us where the workspace was poisoned before "
                      "and at most %.1f us where it kept its contents: work is kept there",
                      ev->variant[side].name, 1e-3 * poisoned->least_ns, 1e-3 * kept->most_ns);
    }
}

AISP_CHECK(workspace_precompute_check) = {
    .issue = 45,
    .name = "workspace-precompute",
    .family = "cuda",
    .title =
        "The workspace carries nothing from call to call: a secret share of windows poisons it",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 7,
    .examine = workspace_precompute,
};

static bool is_unexplained(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    int64_t by_ns;

    return aisp_device_is_work(a) && (aisp_device_lateness(t, a, &by_ns) != AISP_IN_TIME ||
                                      (a->window < 0 && a->phase > AISP_PHASE_SETUP));
}

static int64_t probe_before_ns(const struct aisp_device_trace *t, int32_t window)
{
    return t->window[window].probe_before_ns;
}

/* A device that is busy before go, although no record says with what. */
static void busy_before_go(const struct aisp_check *self, const struct aisp_evidence *ev, int side,
                           struct aisp_findings *out)
{
    const struct aisp_device_trace *t = aisp_device_of(ev, side);
    const int32_t window = aisp_device_busy_window(t, probe_before_ns);
    int64_t n;

    if (window < 0 || aisp_device_first(t, is_unexplained, &n))
        return;
    aisp_find(out, self, AISP_VIOLATION, side,
              "%s, audit window %d: a copy right before go took %.1f us, on an idle device it takes %.1f us, and so in half of the "
              "windows: something was running already",
              ev->variant[side].name, window, 1e-3 * (double)t->window[window].probe_before_ns,
              1e-3 * (double)t->idle_probe_ns);
}

static void persistent_kernel(const struct aisp_check *self, const struct aisp_evidence *ev,
                              struct aisp_findings *out)
{
    aisp_find_late(self, ev, AISP_LATE_RESIDENT,
                   "no kernel may be there before go or stay after done", out);
    for (int side = AISP_A; side <= AISP_B; side++)
        if (aisp_device_of(ev, side))
            busy_before_go(self, ev, side, out);
}

AISP_CHECK(persistent_kernel_check) = {
    .issue = 46,
    .name = "persistent-kernel",
    .family = "cuda",
    .title = "A kernel lives inside its window, however it divides its work there",
    .needs = "gpu",
    .incident =
        "a resident kernel that polled host memory so that a call only flipped a flag, 2025",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = persistent_kernel,
};

static bool is_elsewhere(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    const bool is_peer =
        a->kind == AISP_DEVICE_COPY && (a->from == AISP_AT_PEER || a->to == AISP_AT_PEER);

    return a->kind != AISP_DEVICE_COMPILE && (a->device != t->device || is_peer);
}

static void undeclared_multi_gpu(const struct aisp_check *self, const struct aisp_evidence *ev,
                                 struct aisp_findings *out)
{
    aisp_find_undeclared(self, ev, "devices", is_elsewhere, "another device", out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);

        if (!t || aisp_device_declares(ev, side, "devices"))
            continue;
        for (size_t i = 0; i < t->n_contexts; i++)
            if (t->context[i].device != t->device)
                aisp_find(out, self, AISP_VIOLATION, side,
                          "%s: made context %d on device %d, was given device %d",
                          ev->variant[side].name, t->context[i].id, t->context[i].device,
                          t->device);
    }
}

AISP_CHECK(undeclared_multi_gpu_check) = {
    .issue = 47,
    .name = "undeclared-multi-gpu",
    .family = "cuda",
    .title = "A variant works on the device that it was given, or says that it uses more",
    .needs = "gpus",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 3,
    .examine = undeclared_multi_gpu,
};

static void context_switches(const struct aisp_check *self, const struct aisp_evidence *ev,
                             struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);

        for (size_t i = 0; t && i < t->n_contexts; i++) {
            const struct aisp_device_context *c = &t->context[i];

            if (c->is_harness || c->device != t->device)
                continue;
            if (c->window >= 0)
                aisp_find(out, self, AISP_VIOLATION, side,
                          "%s: made context %d inside audit window %d", ev->variant[side].name,
                          c->id, c->window);
            else if (!aisp_device_declares(ev, side, "contexts"))
                aisp_find(out, self, AISP_VIOLATION, side,
                          "%s: made context %d in %s and did not declare it (uses: contexts)",
                          ev->variant[side].name, c->id,
                          aisp_phase_name((enum aisp_phase)c->phase));
        }
    }
}

AISP_CHECK(context_switches_check) = {
    .issue = 48,
    .name = "context-switches",
    .family = "cuda",
    .title = "One context computes: others are declared, and none is made inside a window",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 6,
    .examine = context_switches,
};
