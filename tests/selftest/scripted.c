/* scripted.c - the scene that scripts change, and the trial of a cheat and of its twin. */
#include "tests/selftest/scripted.h"

#include <stdio.h>
#include <string.h>

#include "backends/fake/fake.h"
#include "core/run/run.h"

/* ---- the scene ---- */

enum { PERIOD_NS = 1000000, WINDOW_NS = 300000, KERNEL_NS = 80000, STEP_NS = 90000 };

static int64_t go_of(int window)
{
    return (int64_t)(window + 1) * PERIOD_NS;
}

static void add_policy(struct aisp_device_trace *t, int phase, int window)
{
    struct aisp_device_policy *p = aisp_device_add_policy(t);

    strcpy(p->name, "matrix precision");
    strcpy(p->value, "ieee");
    p->phase = (int8_t)phase;
    p->window = window;
}

void scene_idle(struct aisp_device_trace *t)
{
    struct aisp_device_context *context = aisp_device_add_context(t);
    struct aisp_device_stream *stream = aisp_device_add_stream(t);

    t->taken = t->alive = true;
    t->idle_probe_ns = 45000;
    t->window_slack_ns = 8000;
    t->clock_error_ns = 500;
    t->audit_launches = t->audit_calls = SCENE_WINDOWS * SCENE_CALLS;
    context->id = SCENE_CONTEXT;
    context->is_harness = true;
    stream->id = SCENE_STREAM;
    stream->context = SCENE_CONTEXT;
    stream->is_harness = true;
    add_policy(t, AISP_PHASE_LOAD, -1);
    for (int i = 0; i < SCENE_WINDOWS; i++) {
        struct aisp_device_window *w = aisp_device_add_window(t);

        w->phase = AISP_PHASE_TIMED;
        w->calls = SCENE_CALLS;
        w->go_ns = go_of(i);
        w->done_ns = go_of(i) + WINDOW_NS;
        w->start_mark_ns = go_of(i) + 2000;
        w->stop_mark_ns = go_of(i) + WINDOW_NS - 6000;
        w->event_ns = w->stop_mark_ns - w->start_mark_ns;
        w->probe_before_ns = 46000;
        w->probe_after_ns = 47000;
        w->api_ns = 15000;
        w->n_api = 2 * SCENE_CALLS;
        w->host_cpu_ns = 10000;
        w->workspace_poisoned = i % 2;
        w->n_compared = SCENE_CALLS;
        add_policy(t, AISP_PHASE_TIMED, i);
    }
    add_policy(t, AISP_PHASE_TEARDOWN, -1);
}

struct aisp_device_activity *scene_work(struct aisp_device_trace *t, int kind, int window, int call)
{
    struct aisp_device_activity *a = aisp_device_add_activity(t);

    a->kind = (int8_t)kind;
    a->phase = AISP_PHASE_TIMED;
    a->window = window;
    a->call = a->slot = call;
    a->context = SCENE_CONTEXT;
    a->stream = SCENE_STREAM;
    a->enqueued_ns = go_of(window) + 3000 + call * 4000;
    a->start_ns = go_of(window) + 10000 + call * STEP_NS;
    a->end_ns = a->start_ns + KERNEL_NS;
    a->n_blocks = 132;
    strcpy(a->name, kind == AISP_DEVICE_KERNEL ? "rsqrt_rows" : aisp_device_kind_name(kind));
    return a;
}

void scene_honest(struct aisp_device_trace *t)
{
    scene_idle(t);
    for (int i = 0; i < SCENE_WINDOWS; i++)
        for (int call = 0; call < SCENE_CALLS; call++)
            scene_work(t, AISP_DEVICE_KERNEL, i, call);
}

struct aisp_device_activity *scene_kernel(struct aisp_device_trace *t, int window, int call)
{
    for (size_t i = 0; i < t->n_activities; i++)
        if (t->activity[i].kind == AISP_DEVICE_KERNEL && t->activity[i].window == window &&
            t->activity[i].call == call)
            return &t->activity[i];
    AISP_BUG("the scene has no kernel for call %d of window %d", call, window);
}

struct aisp_device_activity *scene_outside(struct aisp_device_trace *t, int kind, int64_t start_ns,
                                           int64_t end_ns)
{
    struct aisp_device_activity *a = scene_work(t, kind, 0, 0);

    a->window = a->call = a->slot = -1;
    a->phase = start_ns < go_of(0) ? AISP_PHASE_SETUP : AISP_PHASE_TIMED;
    a->enqueued_ns = a->start_ns = start_ns;
    a->end_ns = end_ns;
    return a;
}

struct aisp_device_graph *scene_graph(struct aisp_device_trace *t, int id, int n_kernels,
                                      int n_copies)
{
    struct aisp_device_graph *g = aisp_device_add_graph(t);

    g->id = id;
    g->phase = AISP_PHASE_SETUP;
    g->n_kernels = n_kernels;
    g->n_copies = n_copies;
    g->n_inputs = g->n_inputs_read = 1;
    return g;
}

void scene_side_stream(struct aisp_device_trace *t)
{
    struct aisp_device_stream *s = aisp_device_add_stream(t);

    s->id = SCENE_SIDE_STREAM;
    s->context = SCENE_CONTEXT;
    s->non_blocking = true;
    s->phase = AISP_PHASE_SETUP;
}

/* ---- a problem to play it on ---- */

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const float *x = in->tensor[0];
    double *y = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++)
        *y++ = 2.0 * (double)x[i];
}

static const struct aisp_param params[] = { { "n", 64, 32, 0, 16, 128, 1 }, { 0 } };
static const struct aisp_tensor tensors[] = {
    { "x", AISP_IN, AISP_F32, "n", { AISP_UNIFORM, 0.5, 1.5 } },
    { "y", AISP_OUT, AISP_F32, "n", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};
static const struct aisp_problem problem = {
    .abi = AISP_ABI,
    .title = "Twice",
    .teaches = "nothing: a played device computes it",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "n",
    .tolerance = { .ulps = 1, .why = "one rounding" },
    .reference = reference,
};

/* ---- playing it ---- */

static const struct scripted *playing;

static void record(const struct scripted_side *side, struct aisp_device_trace *t, bool is_audit)
{
    if (!is_audit) { /* the counters of a scored session: a launch a call */
        t->scored_launches += SCENE_CALLS;
        t->scored_calls += SCENE_CALLS;
    } else if (side->device) {
        side->device(t);
    } else {
        scene_honest(t);
    }
}

static void baseline(struct aisp_device_trace *t, bool is_audit)
{
    record(&playing->baseline, t, is_audit);
}

static void contender(struct aisp_device_trace *t, bool is_audit)
{
    record(&playing->contender, t, is_audit);
}

static void refer(struct aisp_variant_ref *ref, const char *name, const struct scripted_side *side)
{
    *ref = (struct aisp_variant_ref){ .device = "fakegpu" };
    snprintf(ref->name, sizeof ref->name, "%s", name);
    snprintf(ref->decl.uses, sizeof ref->decl.uses, "%s", side->uses ? side->uses : "");
}

/* Evidence travels through text before it is examined, as it does when it is kept. */
static enum aisp_status through_json(struct aisp_evidence *ev, struct aisp_err *err)
{
    json_t *json = aisp_evidence_to_json(ev);
    struct aisp_evidence back = AISP_EVIDENCE_INIT;
    const enum aisp_status st = aisp_evidence_from_json(json, &back, err);

    json_decref(json);
    if (st == AISP_OK) {
        aisp_evidence_release(ev);
        *ev = back;
    }
    return st;
}

static enum aisp_status play(const struct scripted *s, struct aisp_evidence *ev,
                             struct aisp_err *err)
{
    const struct aisp_fake_script script = {
        .variant = { { .name = "baseline", .call_ns = 1000, .noise = 0.01, .slack_ns = 500, .device = baseline },
                     { .name = s->name, .call_ns = 1000, .noise = 0.01, .slack_ns = 500, .device = contender } },
    };
    struct aisp_variant_ref side[2];
    struct aisp_plan plan = {
        .target = s->name,
        .problem = &problem,
        .size = "default",
        .variant = { &side[AISP_A], &side[AISP_B] },
        .backend = aisp_backend_find("fakegpu"),
        .n_threads = 1,
        .verify_only = !s->pairs,
        .max_pairs = s->pairs,
        .time_limit_ns = INT64_C(60000000000), /* of this machine, however busy: the pairs end it */
        .secret = { { 's' } },
    };
    enum aisp_status st;

    playing = s;
    refer(&side[AISP_A], "baseline", &s->baseline);
    refer(&side[AISP_B], s->name, &s->contender);
    aisp_fake_play(&script);
    AISP_TRY(aisp_instance_init(&plan.inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, err));
    AISP_TRY(aisp_run(&plan, ev, err));
    if (s->seen)
        s->seen(ev);
    AISP_TRY(through_json(ev, err));
out:
    return st;
}

/* ---- judging it ---- */

/* The first finding that withholds the result and is not of `but` (NULL: of any). */
static const struct aisp_finding *violation(const struct aisp_findings *found, const char *but)
{
    for (size_t i = 0; i < found->n; i++)
        if (found->item[i].severity == AISP_VIOLATION &&
            (!but || strcmp(found->item[i].check->name, but)))
            return &found->item[i];
    return NULL;
}

static const char *flaw_of_cheat(const struct scripted *s, const struct aisp_findings *found)
{
    const struct aisp_finding *first = violation(found, NULL);

    if (!first)
        return "it was not caught";
    if (strcmp(first->check->name, s->check))
        return "another check is named first";
    if (s->says && !strstr(first->text, s->says))
        return "the finding does not say what it should";
    if (violation(found, s->check))
        return "without its check it does not get through";
    return NULL;
}

static const char *flaw_of_twin(const struct scripted *s, const struct aisp_findings *found)
{
    if (violation(found, NULL))
        return "an honest variant is accused";
    for (size_t i = 0; i < found->n; i++)
        if (found->item[i].severity > AISP_NOTE && !strcmp(found->item[i].check->name, s->check))
            return "its own check accuses it";
    return NULL;
}

static const char *attempt(const struct scripted *s, char text[320],
                           const char *(*flaw_of)(const struct scripted *s,
                                                  const struct aisp_findings *found))
{
    static char failed[600];
    const struct aisp_grading grading = { 0 };
    struct aisp_findings found = AISP_FINDINGS_INIT;
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_err err = { 0 };
    const char *flaw;

    *text = 0;
    if (play(s, &ev, &err)) {
        snprintf(failed, sizeof failed, "it could not be run: %s", err.text);
        flaw = failed;
    } else {
        const struct aisp_finding *first;

        aisp_examine(&ev, &grading, &found);
        first = violation(&found, NULL);
        snprintf(text, 320, "%s", first ? first->text : "");
        flaw = flaw_of(s, &found);
    }
    aisp_findings_release(&found);
    aisp_evidence_release(&ev);
    return flaw;
}

const char *scripted_try_cheat(const struct scripted *s, char text[320])
{
    return attempt(s, text, flaw_of_cheat);
}

const char *scripted_try_twin(const struct scripted *s, char text[320])
{
    return attempt(s, text, flaw_of_twin);
}

const struct scripted *scripted_cheat(const char *name)
{
    AISP_FOR_EACH(scripted_cheats, struct scripted, s)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}

const struct scripted *scripted_twin(const char *name)
{
    AISP_FOR_EACH(scripted_twins, struct scripted, s)
        if (!strcmp(s->name, name))
            return s;
    return NULL;
}
