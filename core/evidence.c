/* evidence.c - keep observations, and derive the few figures that everybody must derive the same way.
 * Not here: JSON (evidence_json.c). */
#include "core/evidence.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/goal.h"
#include "core/stats/stats.h"

static const char *const phase_names[] = {
    [AISP_PHASE_LOAD] = "load",     [AISP_PHASE_SETUP] = "setup",
    [AISP_PHASE_VERIFY] = "verify", [AISP_PHASE_HOLDOUT] = "holdout",
    [AISP_PHASE_TRIAL] = "trial",   [AISP_PHASE_WARMUP] = "warm-up",
    [AISP_PHASE_TIMED] = "timed",   [AISP_PHASE_TEARDOWN] = "teardown",
};

static const char *const scope_names[AISP_N_SCOPES] = {
    [AISP_SCOPE_CALL] = "call",
    [AISP_SCOPE_KERNEL] = "kernel",
};

const char *aisp_scope_name(enum aisp_scope scope)
{
    return (unsigned)scope < AISP_N_SCOPES ? scope_names[scope] : "?";
}

void aisp_scope_device(const char *device, const char *scope, char *to, size_t size)
{
    const bool is_plain = !scope || !*scope || !strcmp(scope, scope_names[AISP_SCOPE_CALL]);

    snprintf(to, size, "%s%s%s", device, is_plain ? "" : "/", is_plain ? "" : scope);
}

static const char *const seen_names[AISP_N_SEEN] = {
    [AISP_SEEN_WRONG_OUTPUT] = "wrong output",
    [AISP_SEEN_CANARY] = "write beside a buffer",
    [AISP_SEEN_LATE_WRITE] = "output changed after done",
    [AISP_SEEN_INPUT_CHANGED] = "input changed",
    [AISP_SEEN_BUSY_OUTSIDE] = "CPU time outside windows",
    [AISP_SEEN_EXTRA_THREADS] = "undeclared threads",
    [AISP_SEEN_SIGNAL] = "killed by a signal",
    [AISP_SEEN_EXIT] = "left by itself",
    [AISP_SEEN_HANG] = "no answer in time",
    [AISP_SEEN_FORBIDDEN_CALL] = "forbidden system call",
    [AISP_SEEN_OUTPUT_FLOOD] = "printed too much",
    [AISP_SEEN_MEMORY] = "beyond the memory limit",
    [AISP_SEEN_BAD_STATUS] = "returned an error",
    [AISP_SEEN_PROTOCOL] = "answers make no sense",
    [AISP_SEEN_REFUSED] = "not loadable",
    [AISP_SEEN_FOREIGN_WRITE] = "output of an uncalled slot written",
    [AISP_SEEN_EMISSION] = "emission that is none",
    [AISP_SEEN_DESCRIPTORS] = "descriptors of its own",
};

const char *aisp_phase_name(enum aisp_phase phase)
{
    return (unsigned)phase < sizeof phase_names / sizeof *phase_names ? phase_names[phase] : "?";
}

const char *aisp_seen_name(enum aisp_seen seen)
{
    return (unsigned)seen < AISP_N_SEEN ? seen_names[seen] : "?";
}

void aisp_evidence_release(struct aisp_evidence *ev)
{
    if (!ev)
        return;
    aisp_machine_release(&ev->machine);
    free(ev->window);
    free(ev->pair);
    free(ev->observation);
    free(ev->placement);
    aisp_ranks_release(&ev->ranks);
    aisp_service_release(&ev->service);
    for (int side = AISP_A; side <= AISP_B; side++)
        aisp_device_trace_release(&ev->device_trace[side]);
    free(ev->point);
    aisp_kept_release(&ev->kept);
    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
}

void aisp_evidence_observe(struct aisp_evidence *ev, const struct aisp_observation *seen)
{
    struct aisp_observation *to;
    int n_alike = 0;

    for (size_t i = 0; i < ev->n_observations; i++)
        n_alike += ev->observation[i].what == seen->what && ev->observation[i].side == seen->side;
    if (n_alike >= AISP_MAX_OBSERVATIONS) {
        ev->n_observations_dropped++;
        return;
    }
    to = aisp_grow(&ev->observation, &ev->n_observations, &ev->cap_observations, sizeof *to);
    *to = *seen;
    to->detail[sizeof to->detail - 1] = 0;
    aisp_text_clean(to->detail);
}

bool aisp_evidence_has_doubts(const struct aisp_evidence *ev)
{
    for (size_t i = 0; i < ev->n_observations; i++)
        if (ev->observation[i].phase != AISP_PHASE_TEARDOWN)
            return true;
    return false;
}

/* The windows of one block of one pair; a block counts only whole. */
struct tally {
    double a[2], b[2];
    int n_a, n_b;
};

static void tally_add(struct tally *t, const struct aisp_window *w)
{
    const double y = (double)w->window_ns / (double)w->calls;

    if (w->side == AISP_A && t->n_a < 2)
        t->a[t->n_a++] = y;
    else if (w->side == AISP_B && t->n_b < 2)
        t->b[t->n_b++] = y;
}

/* One pair's estimate from its windows. Windows of a pair lie together in the order they were taken; a file may hold
 * anything, so nothing is assumed of block numbers but that a block's windows follow each other. */
static bool pair_estimate(const struct aisp_evidence *ev, int32_t pair, int kind, double *estimate)
{
    struct aisp_block *blocks = NULL, *block;
    size_t n = 0, cap = 0;
    struct tally t = { 0 };
    int32_t current = -1;
    enum aisp_status st = AISP_E_USAGE;

    if (ev->goal == AISP_LATENCY || ev->goal == AISP_THROUGHPUT)
        return aisp_goal_pair(ev, pair, (enum aisp_window_kind)kind, estimate);
    for (size_t i = 0; i <= ev->n_windows; i++) {
        const struct aisp_window *w = i < ev->n_windows ? &ev->window[i] : NULL;

        if (w && (w->pair != pair || w->kind != kind || w->block < 0 || w->calls < 1))
            continue;
        if (!w || w->block != current) {
            if (t.n_a == 2 && t.n_b == 2) {
                block = aisp_grow(&blocks, &n, &cap, sizeof *block);
                *block = (struct aisp_block){ t.a[0], t.a[1], t.b[0], t.b[1] };
            }
            t = (struct tally){ 0 };
            current = w ? w->block : -1;
        }
        if (w)
            tally_add(&t, w);
    }
    if (n)
        st = aisp_pair_estimate(blocks, n, estimate, NULL);
    free(blocks);
    return st == AISP_OK;
}

void aisp_evidence_pairs(const struct aisp_evidence *ev, double **m, int *n, double **control,
                         int *n_control)
{
    double *rungs = aisp_xcalloc(ev->n_pairs + 1, sizeof *rungs),
           *twins = aisp_xcalloc(ev->n_pairs + 1, sizeof *twins);
    int n_rungs = 0, n_twins = 0;

    for (size_t i = 0; i < ev->n_pairs; i++) {
        const struct aisp_pair *p = &ev->pair[i];
        double estimate;

        if (!p->complete || !pair_estimate(ev, p->pair, AISP_WINDOW_TIMED, &estimate))
            continue;
        if (p->is_control)
            twins[n_twins++] = estimate;
        else
            rungs[n_rungs++] = estimate;
    }
    *n = n_rungs;
    *n_control = n_twins;
    if (m)
        *m = rungs;
    else
        free(rungs);
    if (control)
        *control = twins;
    else
        free(twins);
}

double *aisp_evidence_holdout(const struct aisp_evidence *ev, int *n)
{
    double *m = NULL;

    *n = 0;
    if (ev->n_points)
        m = aisp_xcalloc(ev->n_pairs + 1, sizeof *m);
    for (size_t i = 0; i < ev->n_pairs && m; i++)
        if (ev->pair[i].complete && pair_estimate(ev, ev->pair[i].pair, AISP_WINDOW_HOLDOUT, &m[*n]))
            ++*n;
    return m;
}

bool aisp_evidence_is_control(const struct aisp_evidence *ev, int32_t pair)
{
    for (size_t i = 0; i < ev->n_pairs; i++)
        if (ev->pair[i].pair == pair)
            return ev->pair[i].is_control;
    return false;
}

double *aisp_evidence_samples(const struct aisp_evidence *ev, enum aisp_side side, size_t *n)
{
    double *x = aisp_xcalloc(ev->n_windows + 1, sizeof *x);

    *n = 0;
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        /* In a control pair both sides are the reference: its windows describe neither. */
        if (w->kind == AISP_WINDOW_TIMED && w->side == (int)side && w->calls > 0 &&
            !aisp_evidence_is_control(ev, w->pair))
            x[(*n)++] = (double)w->window_ns / (double)w->calls;
    }
    return x;
}

void aisp_evidence_chain(const struct aisp_evidence *ev, char hex[65])
{
    char link[512];

    aisp_hash_bytes("", 0, hex);
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];
        const int n = snprintf(
            link, sizeof link, "%s %d %d %d %d %d %lld %lld %lld %lld %lld %lld %d %d %d %d", hex,
            w->pair, w->block, w->index, w->side, w->kind, (long long)w->calls,
            (long long)w->start_ns, (long long)w->window_ns, (long long)w->inner_ns,
            (long long)w->gap_ns, (long long)w->idle_ns, w->minor_faults, w->major_faults,
            w->voluntary_switches, w->involuntary_switches);

        aisp_hash_bytes(link, (size_t)n, hex);
    }
}

int aisp_evidence_level(const struct aisp_evidence *ev, int64_t bytes)
{
    const int64_t cores[] = { ev->before.l1d_bytes, ev->before.l2_bytes, ev->before.l3_bytes };
    const int64_t *holds = *ev->limits.card ? ev->limits.cache_bytes : cores;
    int level = 0;

    while (level < 3 && bytes > holds[level]) /* an unknown level is -1 and holds nothing */
        level++;
    return level;
}

static int cores_of(const struct aisp_evidence *ev)
{
    return ev->n_threads * (ev->ranks.n_ranks > 1 ? ev->ranks.n_ranks : 1);
}

/* A card's caches have no roof that was measured; its memory has the one that it was built with. */
double aisp_evidence_roof_gbps(const struct aisp_evidence *ev)
{
    const struct aisp_calibration *cal = &ev->calibration;
    const int level = aisp_evidence_level(ev, ev->bytes);

    if (*ev->limits.card)
        return level < 3 ? 0 : ev->limits.dram_gbps;
    return fmax(cal->peak_read_gbps[level], cal->peak_copy_gbps[level]) * cores_of(ev);
}

double aisp_evidence_roof_gflops(const struct aisp_evidence *ev)
{
    return aisp_calibration_peak(&ev->calibration, (enum aisp_dtype)ev->arithmetic) * cores_of(ev);
}

bool aisp_window_is_disturbed(const struct aisp_window *window)
{
    return (int64_t)window->involuntary_switches * 1000000 * 20 > window->window_ns;
}
