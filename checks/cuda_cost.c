/* cuda_cost.c - what launches, nested kernels and managed pages cost, and who pays for it. */
#include "checks/device.h"

/* Of the windows behind the warm-up. */
struct api {
    double share, calls_a_call;
};

static struct api api_of(const struct aisp_device_trace *t)
{
    int64_t api_ns = 0, window_ns = 0, n = 0, calls = 0;

    for (size_t i = 1; i < t->n_windows; i++) {
        api_ns += t->window[i].api_ns;
        window_ns += t->window[i].done_ns - t->window[i].go_ns;
        n += t->window[i].n_api;
        calls += t->window[i].calls;
    }
    return (struct api){ window_ns > 0 ? (double)api_ns / (double)window_ns : 0,
                         calls > 0 ? (double)n / (double)calls : 0 };
}

static void driver_overhead(const struct aisp_check *self, const struct aisp_evidence *ev,
                            struct aisp_findings *out)
{
    const struct aisp_device_trace *t[] = { aisp_device_of(ev, AISP_A),
                                            aisp_device_of(ev, AISP_B) };

    for (int side = AISP_A; side <= AISP_B; side++)
        for (size_t i = 1; t[side] && i < t[side]->n_windows; i++) {
            const struct aisp_device_window *w = &t[side]->window[i];

            if (w->api_ns <= w->done_ns - w->go_ns + aisp_device_tolerance_ns(t[side]))
                continue;
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s, audit window %zu: %lld calls into the driver took %.1f us, the window "
                      "%.1f us: its time leaves out what the host paid",
                      ev->variant[side].name, i, (long long)w->n_api, 1e-3 * (double)w->api_ns,
                      1e-3 * (double)(w->done_ns - w->go_ns));
            break;
        }
    if (t[AISP_A] && t[AISP_B]) {
        const struct api a = api_of(t[AISP_A]), b = api_of(t[AISP_B]);

        if (a.share > 0.5 && a.calls_a_call > 100 && a.calls_a_call > 10 * b.calls_a_call)
            aisp_find(out, self, AISP_DEVELOPMENT, AISP_A,
                      "%s makes %.0f calls into the driver a call, %.0f %% of its time; %s makes "
                      "%.0f: what is compared is mostly the driver",
                      ev->variant[AISP_A].name, a.calls_a_call, 100 * a.share,
                      ev->variant[AISP_B].name, b.calls_a_call);
    }
}

AISP_CHECK(driver_overhead_check) = {
    .issue = 49,
    .name = "driver-overhead",
    .family = "cuda",
    .title = "The score contains all that the host pays for launches, and their share is shown",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 15,
    .examine = driver_overhead,
};

static bool is_cooperative(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_KERNEL && a->how & AISP_HOW_COOPERATIVE;
}

static void cooperative_launch(const struct aisp_check *self, const struct aisp_evidence *ev,
                               struct aisp_findings *out)
{
    aisp_find_undeclared(self, ev, "cooperative", is_cooperative, "a cooperative launch", out);
}

AISP_CHECK(cooperative_launch_check) = {
    .issue = 50,
    .name = "cooperative-launch",
    .family = "cuda",
    .title = "Launches that take the whole device at once are declared",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 14,
    .examine = cooperative_launch,
};

static bool is_nested(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return aisp_device_is_work(a) && a->how & AISP_HOW_FROM_DEVICE;
}

/* CUPTI records no work that a kernel launched: what tells is the kernel's code. */
static bool is_parent(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_KERNEL && a->how & AISP_HOW_LAUNCHES;
}

static void dynamic_parallelism(const struct aisp_check *self, const struct aisp_evidence *ev,
                                struct aisp_findings *out)
{
    aisp_find_late(self, ev, AISP_LATE_CHILD, "its parent did not wait for it", out);
    aisp_find_undeclared(self, ev, "device-launch", is_nested, "a launch from the device", out);
    aisp_find_undeclared(self, ev, "device-launch", is_parent,
                         "code that launches from the device (its module holds the device's runtime)", out);
}

AISP_CHECK(dynamic_parallelism_check) = {
    .issue = 51,
    .name = "dynamic-parallelism",
    .family = "cuda",
    .title = "What a kernel launches is declared, and is over when its parent's window is",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = dynamic_parallelism,
};

static bool is_managed(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_ALLOC && a->to == AISP_AT_MANAGED;
}

static bool is_timed_fault(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_FAULT && a->window >= 1;
}

static bool is_early_prefetch(const struct aisp_device_trace *t,
                              const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_PREFETCH && a->window < 0;
}

static void um_faults(const struct aisp_check *self, const struct aisp_evidence *ev,
                      struct aisp_findings *out)
{
    aisp_find_undeclared(self, ev, "managed", is_managed, "managed memory", out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side),
                                       *other = aisp_device_of(ev, !side);
        const struct aisp_device_activity *fault;
        int64_t n_faults, n_prefetches, n_own;
        char where[192];

        if (!t || !other)
            continue;
        fault = aisp_device_first(t, is_timed_fault, &n_faults);
        aisp_device_first(t, is_early_prefetch, &n_own);
        aisp_device_first(other, is_early_prefetch, &n_prefetches);
        if (!fault || !n_prefetches || n_own)
            continue;
        aisp_device_where(ev, side, fault, where);
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: %lld page faults in timed windows, while %s had its pages moved in %lld "
                  "prefetches that nobody timed",
                  where, (long long)n_faults, ev->variant[!side].name, (long long)n_prefetches);
    }
}

AISP_CHECK(um_faults_check) = {
    .issue = 52,
    .name = "um-faults",
    .family = "cuda",
    .title = "Managed memory is declared, and its pages begin in the same place for both sides",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 14,
    .examine = um_faults,
};
