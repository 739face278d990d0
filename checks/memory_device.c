/* memory_device.c - host outputs are whole when the clock stops, and both sides allocate under the same conditions. */
#include "checks/device.h"

static void pinned_timing(const struct aisp_check *self, const struct aisp_evidence *ev,
                          struct aisp_findings *out)
{
    aisp_find_late(self, ev, AISP_LATE_TO_HOST, "the copy to the host was left in flight", out);
}

AISP_CHECK(pinned_timing_check) = {
    .issue = 38,
    .name = "pinned-timing",
    .family = "memory",
    .title = "A copy to pinned host memory counts when its bytes have arrived",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = pinned_timing,
};

static bool is_timed_alloc(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_ALLOC && a->window >= 1 && a->to != AISP_AT_MANAGED;
}

static bool is_driver_alloc(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    return is_timed_alloc(t, a) && !(a->how & AISP_HOW_POOL);
}

/* Declared on both sides, but one asks the driver each time and the other its own pool. */
static void unequal_pools(const struct aisp_check *self, const struct aisp_evidence *ev,
                          struct aisp_findings *out)
{
    const struct aisp_device_trace *t[] = { aisp_device_of(ev, AISP_A),
                                            aisp_device_of(ev, AISP_B) };
    int64_t n[2], n_driver[2];

    if (!t[AISP_A] || !t[AISP_B])
        return;
    for (int side = AISP_A; side <= AISP_B; side++) {
        aisp_device_first(t[side], is_timed_alloc, &n[side]);
        aisp_device_first(t[side], is_driver_alloc, &n_driver[side]);
    }
    for (int side = AISP_A; side <= AISP_B; side++)
        if (n_driver[side] && n[!side] && !n_driver[!side])
            aisp_find(out, self, AISP_DEVELOPMENT, side,
                      "%s allocates %lld times from the driver inside timed windows, %s %lld times "
                      "from a pool: the difference is the allocator's",
                      ev->variant[side].name, (long long)n_driver[side], ev->variant[!side].name,
                      (long long)n[!side]);
}

static void pool_reuse(const struct aisp_check *self, const struct aisp_evidence *ev,
                       struct aisp_findings *out)
{
    aisp_find_undeclared(self, ev, "allocates", is_timed_alloc, "memory allocated while timed",
                         out);
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);

        if (t && t->pool_at_start_bytes > 0)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: %lld bytes lay in its memory pools before setup: the process was not a "
                      "fresh one",
                      ev->variant[side].name, (long long)t->pool_at_start_bytes);
    }
    unequal_pools(self, ev, out);
}

AISP_CHECK(pool_reuse_check) = {
    .issue = 39,
    .name = "pool-reuse",
    .family = "memory",
    .title = "Each run begins with empty pools; allocating while timed is declared",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 13,
    .examine = pool_reuse,
};
