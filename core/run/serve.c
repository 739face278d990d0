/* serve.c - one call of a server, from the secret trace to the stamps in evidence.
 * The contents of all requests lie in the supervisor's own memory; a row comes to the shared ring when its time has come. Times
 * of a block's two halves are each shared by both sides (A B | B A), so that both bear the same load; contents never are. */
#include "core/run/serve.h"

#include <linux/futex.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/judge/fill.h"
#include "core/run/rig.h"
#include "core/stats/stats.h"

/* Without a core of its own the supervisor sleeps between looks, but not longer than this. */
enum { LOOK_EACH_NS = 100000 };

struct aisp_serve {
    const struct aisp_instance *inst;
    struct aisp_served_numbers is;
    int64_t width;                 /* words of a request */
    int32_t *arrivals, *emissions; /* the shared rings of this call's slot */
    int32_t *contents;             /* what arrivals becomes */
    int64_t *due_ns, *published_ns, *n_answer, n_published;
    int32_t *answer, *before;
    bool has_before;
    int64_t origin_ns, looked_ns;
    struct aisp_ring_reader reader;
    struct aisp_request_times *times;
    double *scratch;
    int32_t block, n_in_block;
};

void aisp_serve_release(struct aisp_serve *s)
{
    if (!s)
        return;
    free(s->contents);
    free(s->due_ns);
    free(s->published_ns);
    free(s->n_answer);
    free(s->answer);
    free(s->before);
    free(s->reader.token);
    free(s->times);
    free(s->scratch);
    free(s);
}

static struct aisp_serve *serve_new(const struct aisp_instance *inst)
{
    const struct aisp_served_numbers *is = &inst->serving;
    const size_t n = (size_t)is->requests, most = n * (size_t)is->tokens;
    struct aisp_serve *s = aisp_xcalloc(1, sizeof *s);

    s->inst = inst;
    s->is = *is;
    s->block = -1;
    s->width = inst->extent[is->arrivals].row_elements;
    s->contents = aisp_xmalloc(inst->extent[is->arrivals].bytes + 64);
    s->due_ns = aisp_xcalloc(n, sizeof *s->due_ns);
    s->published_ns = aisp_xcalloc(n, sizeof *s->published_ns);
    s->n_answer = aisp_xcalloc(n, sizeof *s->n_answer);
    s->answer = aisp_xcalloc(most, sizeof *s->answer);
    s->before = aisp_xcalloc(most, sizeof *s->before);
    s->reader.token = aisp_xcalloc(most, sizeof *s->reader.token);
    s->reader.capacity = (int64_t)most;
    s->times = aisp_xcalloc(n, sizeof *s->times);
    s->scratch = aisp_xcalloc(most + 1, sizeof *s->scratch);
    return s;
}

/* ---- before ---- */

static struct aisp_key schedule_key(struct aisp_rig *rig, const struct aisp_shot *shot)
{
    struct aisp_serve *s = rig->serve;

    if (shot->block < 0)
        return aisp_key_derive(&rig->key, "arrivals", -1, rig->n_windows, 0, 0);
    s->n_in_block = shot->block == s->block ? s->n_in_block + 1 : 0;
    s->block = shot->block;
    return aisp_key_derive(&rig->key, "arrivals", shot->block, s->n_in_block / 2, shot->kind, 0);
}

static void draw_trace(struct aisp_rig *rig, const struct aisp_shot *shot)
{
    struct aisp_serve *s = rig->serve;
    const struct aisp_problem *problem = s->inst->problem;
    const struct aisp_tensor *t = &problem->tensor[s->is.arrivals];
    const bool fresh = aisp_defends(rig->course->plan->policy, AISP_FRESH_CONTENTS);
    const struct aisp_key times = schedule_key(rig, shot),
                          contents = aisp_key_derive(&rig->key, "requests",
                                                     fresh ? rig->n_windows : 0, 0, 0, 0);
    const struct aisp_filling what = { t->fill, t->dtype, s->inst->extent[s->is.arrivals].elements,
                                       aisp_philox_of(&contents) };
    struct aisp_dice dice;

    aisp_dice_init(&dice, &times);
    aisp_serve_schedule(problem->serving->process, s->is.per_second, &dice, s->due_ns,
                        s->is.requests);
    aisp_fill(&what, s->contents, 0, what.elements);
    memset(s->contents, 0, (size_t)s->width * sizeof *s->contents);
    s->contents[0] = (int32_t)s->is.requests;
}

/* Rings as a call finds them: nothing there, and nothing left of the call before. */
static void clear_rings(struct aisp_serve *s)
{
    memset(s->arrivals, 0xa5, s->inst->extent[s->is.arrivals].bytes);
    memset(s->emissions, 0xa5, s->inst->extent[s->is.emissions].bytes);
    memset(s->arrivals, 0, (size_t)s->width * sizeof *s->arrivals);
    memset(s->emissions, 0, 4 * sizeof *s->emissions);
}

enum aisp_status aisp_serve_prepare(struct aisp_rig *rig, const struct aisp_shot *shot, int slot,
                                    struct aisp_err *err)
{
    struct aisp_serve *s = rig->serve = rig->serve ? rig->serve : serve_new(rig->inst);
    int32_t *swap;

    if (!rig->backend->ring)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "the device %s has no rings for a server",
                         rig->backend->name);
    s->arrivals = rig->backend->ring(rig->session, slot, s->is.arrivals);
    s->emissions = rig->backend->ring(rig->session, slot, s->is.emissions);
    swap = s->before;
    s->before = s->answer;
    s->answer = swap;
    draw_trace(rig, shot);
    clear_rings(s);
    for (int64_t r = 0; r < s->is.requests; r++)
        s->published_ns[r] = -1;
    s->n_published = 0;
    s->origin_ns = s->looked_ns = 0;
    s->reader.ring = s->emissions;
    s->reader.n = s->reader.claimed = 0;
    s->reader.flaw = AISP_EMISSION_RIGHT;
    return AISP_OK;
}

/* ---- while it runs ---- */

static int64_t since_go(void *serve)
{
    return aisp_now_ns() - ((struct aisp_serve *)serve)->origin_ns;
}

static void publish(struct aisp_serve *s, int64_t now_ns)
{
    const int64_t before = s->n_published;

    while (s->n_published < s->is.requests && s->due_ns[s->n_published] <= now_ns) {
        const int64_t at = (s->n_published + 1) * s->width;

        memcpy(s->arrivals + at, s->contents + at, (size_t)s->width * sizeof *s->arrivals);
        s->published_ns[s->n_published++] = now_ns;
    }
    if (s->n_published == before)
        return;
    __atomic_store_n(s->arrivals, (int32_t)s->n_published, __ATOMIC_RELEASE);
    syscall(SYS_futex, s->arrivals, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

int64_t aisp_serve_tick(void *rig)
{
    struct aisp_serve *s = ((struct aisp_rig *)rig)->serve;
    int64_t now_ns, wait_ns;

    if (!s->origin_ns) /* the first call comes with go */
        s->origin_ns = aisp_now_ns();
    now_ns = since_go(s);
    aisp_ring_read(&s->reader, s->looked_ns, since_go, s);
    s->looked_ns = now_ns;
    publish(s, now_ns);
    wait_ns = s->n_published < s->is.requests ? s->due_ns[s->n_published] - now_ns : LOOK_EACH_NS;
    return wait_ns < LOOK_EACH_NS ? wait_ns : LOOK_EACH_NS;
}

/* ---- after ---- */

static void find_truth(struct aisp_rig *rig, int slot)
{
    struct aisp_serve *s = rig->serve;
    const struct aisp_problem *problem = s->inst->problem;
    const void *tensor[AISP_MAX_TENSORS] = { NULL };
    const struct aisp_view view = { tensor, s->inst->param };

    for (int t = 0; t < s->inst->n_tensors; t++)
        if (problem->tensor[t].role == AISP_IN || problem->tensor[t].role == AISP_WEIGHT)
            tensor[t] =
                rig->backend->input(rig->session, problem->tensor[t].role == AISP_IN ? slot : 0, t);
    tensor[s->is.arrivals] = s->contents;
    for (int64_t r = 0; r < s->is.requests; r++) {
        const int64_t n =
            problem->serving->answer(&view, r, s->answer + r * s->is.tokens, s->is.tokens);

        if (n < 1 || n > s->is.tokens)
            AISP_BUG("%s: request %lld has %lld tokens", problem->title, (long long)r,
                     (long long)n);
        s->n_answer[r] = n;
    }
}

static void observe_flaw(struct aisp_rig *rig, const struct aisp_shot *shot,
                         enum aisp_emission_flaw kind, const struct aisp_serve_flaw *flaw)
{
    const struct aisp_serve *s = rig->serve;
    struct aisp_observation seen = { .what = AISP_SEEN_EMISSION,
                                     .phase = rig->phase,
                                     .kind = (int32_t)kind,
                                     .call = flaw->first.index,
                                     .slot = rig->order[0],
                                     .tensor = s->is.emissions,
                                     .element = flaw->first.request,
                                     .count = flaw->n,
                                     .of = s->reader.n,
                                     .seen = (double)flaw->first.stamp_ns,
                                     .expected = (double)flaw->expected };

    if (kind == AISP_EMISSION_EARLY)
        snprintf(
            seen.detail, sizeof seen.detail,
            "token %d of request %d was seen at %.3f us, the request was handed over at %.3f us",
            flaw->first.index, flaw->first.request, 1e-3 * (double)flaw->first.stamp_ns,
            1e-3 * (double)(flaw->expected < 0 ? s->due_ns[flaw->first.request] : flaw->expected));
    else if (kind == AISP_EMISSION_UNSERVED)
        snprintf(seen.detail, sizeof seen.detail,
                 "%lld of %lld requests ended without all their tokens; request %d has %d of %lld",
                 (long long)flaw->n, (long long)s->is.requests, flaw->first.request,
                 flaw->first.index, (long long)flaw->expected);
    else if (kind == AISP_EMISSION_REPEATED)
        snprintf(seen.detail, sizeof seen.detail,
                 "request %d emitted its token %d where its token %lld was next",
                 flaw->first.request, flaw->first.index, (long long)flaw->expected);
    else
        snprintf(seen.detail, sizeof seen.detail, "%lld, with %lld rows read and room for %lld",
                 (long long)flaw->expected, (long long)s->reader.n, (long long)s->reader.capacity);
    aisp_rig_observe(rig, shot->side, &seen);
}

static void observe_wrong(struct aisp_rig *rig, const struct aisp_shot *shot,
                          const struct aisp_serve_answer *a)
{
    const struct aisp_serve *s = rig->serve;
    struct aisp_observation seen = { .what = AISP_SEEN_WRONG_OUTPUT,
                                     .phase = rig->phase,
                                     .kind = a->n_stale * 2 > a->wrong.n ? AISP_WRONG_STALE
                                                                         : AISP_WRONG_VALUE,
                                     .call = 0,
                                     .slot = rig->order[0],
                                     .tensor = s->is.emissions,
                                     .element = a->wrong.first.request,
                                     .count = a->wrong.n,
                                     .of = s->reader.n,
                                     .seen = a->wrong.first.token,
                                     .expected = (double)a->wrong.expected };

    snprintf(seen.detail, sizeof seen.detail, "token %d of request %d; %lld of %lld tokens wrong",
             a->wrong.first.index, a->wrong.first.request, (long long)a->wrong.n,
             (long long)s->reader.n);
    aisp_rig_observe(rig, shot->side, &seen);
}

/* 99th percentile; of nothing it is 0. */
static int64_t p99_of(double *x, int64_t n)
{
    struct aisp_quantiles q;

    for (int64_t i = 0; i < n; i++)
        x[i] = fmax(x[i], 1);
    return n > 0 && aisp_quantiles_of(x, (size_t)n, &q, NULL) == AISP_OK ? (int64_t)q.p99 : 0;
}

static void record(struct aisp_rig *rig, const struct aisp_window *w)
{
    struct aisp_serve *s = rig->serve;
    struct aisp_service *to = &rig->course->ev->service;
    struct aisp_trace *t = aisp_grow(&to->trace, &to->n_traces, &to->cap_traces, sizeof *t);

    *t = (struct aisp_trace){ .pair = w->pair,
                              .block = w->block,
                              .index = w->index,
                              .side = w->side,
                              .kind = w->kind,
                              .n_requests = (int32_t)s->is.requests,
                              .n_tokens = (int32_t)s->reader.n,
                              .first = (int64_t)to->n_times,
                              .span_ns = w->window_ns };
    for (int64_t i = 0; i < s->reader.n; i++) {
        s->scratch[i] = (double)s->reader.token[i].blur_ns;
        t->span_ns = s->reader.token[i].stamp_ns; /* the last is the latest */
    }
    t->blur_ns = p99_of(s->scratch, s->reader.n);
    for (int64_t r = 0; r < s->is.requests; r++)
        s->scratch[r] = (double)(s->published_ns[r] < 0 ? 0 : s->published_ns[r] - s->due_ns[r]);
    t->late_ns = p99_of(s->scratch, s->is.requests);
    for (int64_t r = 0; r < s->is.requests; r++) {
        struct aisp_request_times *one =
            aisp_grow(&to->times, &to->n_times, &to->cap_times, sizeof *one);

        *one = s->times[r];
        one->due_ns = s->due_ns[r];
    }
}

static bool is_kept(const struct aisp_shot *shot)
{
    return shot->record && (shot->kind == AISP_WINDOW_TIMED || shot->kind == AISP_WINDOW_HOLDOUT);
}

void aisp_serve_finish(struct aisp_rig *rig, const struct aisp_shot *shot,
                       const struct aisp_window *window, bool *right)
{
    const struct aisp_policy *policy = rig->course->plan->policy;
    const int64_t start_ns = aisp_now_ns();
    struct aisp_verified *v = &rig->course->ev->verified[rig->blame[shot->side]];
    struct aisp_serve *s = rig->serve;
    struct aisp_serve_answer answer;
    struct aisp_served_trace served;

    find_truth(rig, rig->order[0]);
    served = (struct aisp_served_trace){ s->is.requests,  s->is.tokens,
                                         s->reader.n,     s->reader.token,
                                         s->published_ns, s->n_answer,
                                         s->answer,       s->has_before ? s->before : NULL };
    aisp_serve_judge(&served, s->times, &answer);
    s->has_before = true;
    if (s->reader.flaw)
        answer.flaw[s->reader.flaw] =
            (struct aisp_serve_flaw){ .n = 1, .expected = s->reader.claimed };
    *right = true;
    for (int k = AISP_EMISSION_EARLY; k < AISP_N_EMISSION_FLAWS; k++)
        if (answer.flaw[k].n && aisp_defends(policy, AISP_EMISSION_RULES)) {
            observe_flaw(rig, shot, (enum aisp_emission_flaw)k, &answer.flaw[k]);
            *right = false;
        }
    if (aisp_defends(policy, AISP_COMPARE_OUTPUTS)) {
        v->n_elements += s->reader.n;
        if (answer.wrong.n)
            observe_wrong(rig, shot, &answer);
        *right &= !answer.wrong.n;
    }
    if (is_kept(shot))
        record(rig, window);
    rig->course->ev->compare_ns += aisp_now_ns() - start_ns;
}
