/* memory_device.c - host outputs are whole when the clock stops, both sides allocate under the same conditions, and neither finds
 * its inputs in a cache. */
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

/* Of lines known to be swept out one in ten may look hot, and of those just read one in ten cold: else nothing can be told. Inputs
 * are hot where a tenth more of their lines is than of lines that were swept out; there were looks enough to say so. */
enum { LINES_LEAST = 128, ONE_IN = 10 };

static bool can_tell(const struct aisp_cold_facts *c)
{
    return c->n_swept_out > 0 && c->n_just_read > 0 && c->n_swept_out_hot * ONE_IN <= c->n_swept_out &&
           (c->n_just_read - c->n_just_read_hot) * ONE_IN <= c->n_just_read;
}

static double hot_share(const struct aisp_cold_look *look)
{
    return look->n_lines >= LINES_LEAST ? (double)look->n_hot / (double)look->n_lines : 0;
}

static void half_cold_cache(const struct aisp_check *self, const struct aisp_evidence *ev, struct aisp_findings *out)
{
    const struct aisp_cold_facts *c = &ev->cold;
    const double usual = c->n_swept_out ? (double)c->n_swept_out_hot / (double)c->n_swept_out : 0, most = usual + 1.0 / ONE_IN;
    bool is_accused = false;

    if (!c->n_swept_out)
        return;
    if (!can_tell(c)) {
        aisp_find(out, self, AISP_NOTE, -1,
                  "lines swept out of the cache look hot in %lld of %lld cases, lines just read in %lld of %lld: whether inputs "
                  "lay there is not known",
                  (long long)c->n_swept_out_hot, (long long)c->n_swept_out, (long long)c->n_just_read_hot,
                  (long long)c->n_just_read);
        return;
    }
    for (int side = AISP_A; side <= AISP_B; side++) {
        if (hot_share(&c->alone[side]) <= most)
            continue;
        is_accused = true;
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: %.0f %% of the lines of a slot of its inputs lay in the device's cache before its windows (%lld of %lld; of "
                  "lines swept out %.0f %% look so): it was warm where it should be cold",
                  ev->variant[side].name, 100 * hot_share(&c->alone[side]), (long long)c->alone[side].n_hot,
                  (long long)c->alone[side].n_lines, 100 * usual);
    }
    if (!is_accused && hot_share(&c->shared) > most)
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "%.0f %% of the lines of a slot of the inputs lay in the device's cache before the windows of pairs (%lld of "
                  "%lld; of lines swept out %.0f %% look so): it was warm where it should be cold",
                  100 * hot_share(&c->shared), (long long)c->shared.n_hot, (long long)c->shared.n_lines, 100 * usual);
}

AISP_CHECK(half_cold_cache_check) = {
    .issue = 5,
    .name = "half-cold-cache",
    .family = "timing",
    .title = "Inputs meant to lie in a device's memory do not lie in its cache before a window: lines of them are timed",
    .needs = "gpu",
    .incident = "a flush smaller than the cache; copies that were rotated and never touched",
    .severity = AISP_VIOLATION,
    .rank = 1,
    .examine = half_cold_cache,
};
