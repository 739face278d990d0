/* compile_device.c - is what runs on the device the same code in every call, window and pass, made where it should be made? */

#include <math.h>
#include <string.h>

#include "checks/device.h"

static const struct aisp_device_graph *graph_of(const struct aisp_device_trace *t, int32_t id)
{
    for (size_t i = 0; i < t->n_graphs; i++)
        if (t->graph[i].id == id)
            return &t->graph[i];
    return NULL;
}

static bool is_reused(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    const struct aisp_device_graph *g =
        (a->how & AISP_HOW_GRAPH) && a->window >= 0 ? graph_of(t, a->graph) : NULL;

    return g && g->slot >= 0 && a->slot >= 0 && a->slot != g->slot;
}

static void trace_reuse(const struct aisp_check *self, const struct aisp_evidence *ev,
                        struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);
        const struct aisp_device_activity *first;
        char where[192];
        int64_t n;

        if (!t)
            continue;
        first = aisp_device_first(t, is_reused, &n);
        if (first) {
            aisp_device_where(ev, side, first, where);
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: graph %d was recorded for slot %d and replayed for slot %d (%lld times)",
                      where, first->graph, graph_of(t, first->graph)->slot, first->slot,
                      (long long)n);
        }
        for (size_t i = 0; i < t->n_graphs; i++)
            if (t->graph[i].phase < AISP_PHASE_SETUP)
                aisp_find(out, self, AISP_VIOLATION, side,
                          "%s: graph %d was there before setup: it is not of this run",
                          ev->variant[side].name, t->graph[i].id);
    }
}

AISP_CHECK(trace_reuse_check) = {
    .issue = 54,
    .name = "trace-reuse",
    .family = "compile",
    .title =
        "A recorded trace is of this run, and is replayed for the call that it was recorded for",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 7,
    .examine = trace_reuse,
};

static bool is_hidden_build(const struct aisp_device_trace *t, const struct aisp_device_activity *a)
{
    (void)t;
    return a->kind == AISP_DEVICE_COMPILE && a->window < 0 && a->phase > AISP_PHASE_SETUP &&
           a->phase < AISP_PHASE_TEARDOWN;
}

static void guard_failure(const struct aisp_check *self, const struct aisp_evidence *ev,
                          struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_activity *first;
        char where[192];
        int64_t n;

        first = aisp_device_seek(ev, side, is_hidden_build, where, &n);
        if (!first)
            continue;
        aisp_find(out, self, AISP_VIOLATION, side,
                  "%s: took %.1f us where nothing was timed, after setup (%lld times)", where,
                  1e-3 * (double)(first->end_ns - first->start_ns), (long long)n);
    }
}

AISP_CHECK(guard_failure_check) = {
    .issue = 57,
    .name = "guard-failure",
    .family = "compile",
    .title = "What has to be compiled again is compiled where the clock sees it, or in setup",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 12,
    .examine = guard_failure,
};

static bool is_chosen(const struct aisp_device_activity *a, int32_t window, int64_t call)
{
    return a->kind == AISP_DEVICE_KERNEL && a->window == window && a->call == call &&
           !(a->how & (AISP_HOW_FROM_DEVICE | AISP_HOW_FROM_CALLBACK));
}

/* A number that depends on which kernels the host launched in a call, and not on how often. */
static uint64_t kernels_of(const struct aisp_device_trace *t, int32_t window, int64_t call,
                           const char **one)
{
    uint64_t sum = 0;

    *one = "nothing";
    for (size_t i = 0; i < t->n_activities; i++) {
        uint64_t hash = UINT64_C(14695981039346656037);
        bool is_known = !is_chosen(&t->activity[i], window, call);

        for (size_t k = 0; k < i && !is_known; k++)
            is_known = is_chosen(&t->activity[k], window, call) &&
                       !strcmp(t->activity[k].name, t->activity[i].name);
        if (is_known)
            continue;
        for (const char *c = t->activity[i].name; *c; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
        sum += hash;
        *one = t->activity[i].name;
    }
    return sum;
}

static void autotune_variance_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                                     struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);
        const char *first_name = NULL, *name;
        int32_t window = -1, call = -1;
        uint64_t first = 0, now;

        if (!t || t->n_dropped)
            continue;
        for (size_t i = 0; i < t->n_activities; i++) {
            const struct aisp_device_activity *a = &t->activity[i];

            if (a->window < 1 || a->call < 0 || !is_chosen(a, a->window, a->call) ||
                (a->window == window && a->call == call))
                continue;
            window = a->window;
            call = a->call;
            now = kernels_of(t, a->window, a->call, &name);
            if (!first_name) {
                first = now;
                first_name = name;
            }
            if (now == first)
                continue;
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: call %d of audit window %d ran %.60s, others %.60s: the choice is not "
                      "made in setup",
                      ev->variant[side].name, a->call, a->window, name, first_name);
            break;
        }
    }
}

AISP_CHECK(autotune_variance_device_check) = {
    .issue = 58,
    .name = "autotune-variance-device",
    .family = "compile",
    .title = "Every timed call runs the same kernels; they are chosen in setup",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 16,
    .examine = autotune_variance_device,
};

/* How far the mean of the audit's calls may lie from that of the scored ones where data decide how often a call launches: calls
 * with contents of their own vary as the windows do, by the root of how many of them one holds. A variant that launches otherwise
 * in a few windows gains nothing by it: to be let off it would have to do so in a good part of its calls. */
static double launches_allowed(const struct aisp_device_trace *t, double scored, double audited)
{
    const double DEVIATIONS = 6, FEW_WINDOWS = 8;
    const double n = (double)t->scored_windows, rounding = 0.01 * fmin(scored, audited);
    double mean, variance;

    if (n < 2 || t->scored_contents < 1)
        return rounding;
    mean = t->scored_sum / t->scored_contents;
    variance = fmax(0, t->scored_squares - mean * t->scored_sum) / (n - 1);
    return fmax(rounding, DEVIATIONS * (1 + FEW_WINDOWS / n) * sqrt(variance / (double)t->audit_calls));
}

static void mode_inconsistency_device(const struct aisp_check *self, const struct aisp_evidence *ev,
                                      struct aisp_findings *out)
{
    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_device_trace *t = aisp_device_of(ev, side);
        double scored, audited;

        if (!t)
            continue;
        if (!t->alive)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: a call of the harness left no record: somebody took the recorder away",
                      ev->variant[side].name);
        if (t->scored_calls < 1 || t->audit_calls < 1)
            continue;
        scored = (double)t->scored_launches / (double)t->scored_calls;
        audited = (double)t->audit_launches / (double)t->audit_calls;
        if (fabs(scored - audited) > launches_allowed(t, scored, audited))
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: %.2f launches a call where it is timed, %.2f where it is recorded: it "
                      "behaves otherwise while it is watched",
                      ev->variant[side].name, scored, audited);
    }
}

AISP_CHECK(mode_inconsistency_device_check) = {
    .issue = 55,
    .name = "mode-inconsistency-device",
    .family = "compile",
    .title = "What is recorded is what was timed: launches are counted in both",
    .needs = "gpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 3,
    .examine = mode_inconsistency_device,
};
