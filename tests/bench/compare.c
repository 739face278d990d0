/* compare.c - one live comparison, as `aisp bench run` makes it but for the calibration: without
 * one the floor is the least that there is, 0.3 %, so that false verdicts have it easiest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/check.h"
#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/sort.h"
#include "tests/bench/bench.h"

enum { QUIET_US = 50000 }; /* of a second */

void bench_series_add(struct bench_series *s, double x)
{
    *(double *)aisp_grow(&s->x, &s->n, &s->cap, sizeof *s->x) = x;
}

double bench_series_quantile(const struct bench_series *s, double p)
{
    double *sorted, q;

    if (!s->n)
        return 0;
    sorted = aisp_xcalloc(s->n, sizeof *sorted);
    memcpy(sorted, s->x, s->n * sizeof *sorted);
    aisp_sort(sorted, s->n);
    q = aisp_quantile_sorted(sorted, s->n, p);
    free(sorted);
    return q;
}

double bench_series_largest(const struct bench_series *s)
{
    double most = 0;

    for (size_t i = 0; i < s->n; i++)
        if (fabs(s->x[i]) > fabs(most))
            most = s->x[i];
    return most;
}

void bench_series_release(struct bench_series *s)
{
    free(s->x);
    *s = (struct bench_series){ 0 };
}

const char *bench_dram_rows(const struct bench *bench, char text[32])
{
    const struct aisp_environment *env = &bench->before;

    if (env->l3_bytes <= (INT64_C(32) << 20) || env->l3_bytes > env->available_bytes / 16)
        return NULL;
    snprintf(text, 32, "rows=%lld", (long long)(2 * env->l3_bytes / (8 * 1024)));
    return text;
}

/* Where the wall time was when the first pair began. */
struct watch {
    const struct aisp_evidence *ev;
    bool is_set;
    int64_t at_ns, windows_ns, judge_ns, loading_ns;
};

static int64_t loading_ns_of(const struct aisp_evidence *ev)
{
    return ev->account[AISP_A].load_ns + ev->account[AISP_A].setup_ns + ev->account[AISP_B].load_ns +
           ev->account[AISP_B].setup_ns;
}

static void watch_progress(void *context, const struct aisp_progress *p)
{
    struct watch *watch = context;

    if (watch->is_set || p->phase != AISP_PHASE_TIMED)
        return;
    watch->is_set = true;
    watch->at_ns = aisp_now_ns();
    watch->windows_ns = watch->ev->window_total_ns;
    watch->judge_ns = watch->ev->fill_ns + watch->ev->compare_ns;
    watch->loading_ns = loading_ns_of(watch->ev);
}

static void read_times(const struct aisp_evidence *ev, const struct watch *watch, int64_t start_ns,
                       struct bench_answer *answer)
{
    const int64_t end_ns = start_ns + ev->elapsed_ns;

    answer->total_s = 1e-9 * (double)ev->elapsed_ns;
    answer->before_s = 1e-9 * (double)((watch->is_set ? watch->at_ns : end_ns) - start_ns);
    answer->pairs_s = answer->total_s - answer->before_s;
    answer->windows_s = 1e-9 * (double)(ev->window_total_ns - watch->windows_ns);
    answer->loading_s = 1e-9 * (double)(loading_ns_of(ev) - watch->loading_ns);
    answer->judge_s = 1e-9 * (double)(ev->fill_ns + ev->compare_ns - watch->judge_ns);
}

/* The median of one process's slack, over all of its windows or over those in which it was never
 * put off the core. */
static double slack_of(const struct aisp_evidence *ev, int32_t pair, int side, bool undisturbed)
{
    struct bench_series slack = { 0 };
    double median;

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->kind == AISP_WINDOW_TIMED && w->pair == pair && w->side == side &&
            !(undisturbed && w->involuntary_switches))
            bench_series_add(&slack, (double)(w->window_ns - w->inner_ns));
    }
    median = bench_series_quantile(&slack, 0.5);
    bench_series_release(&slack);
    return median;
}

static void sample_slack(struct bench *bench, const struct aisp_evidence *ev)
{
    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->kind != AISP_WINDOW_TIMED)
            continue;
        bench_series_add(&bench->slack,
                         (double)(w->window_ns - w->inner_ns) / (double)w->window_ns);
        bench_series_add(&bench->gap, (double)w->gap_ns / (double)w->window_ns);
        bench_series_add(&bench->gap_ns, (double)w->gap_ns);
    }
    for (size_t p = 0; p < ev->n_pairs; p++)
        for (int side = AISP_A; side <= AISP_B; side++) {
            bench_series_add(&bench->process_slack_ns, slack_of(ev, ev->pair[p].pair, side, false));
            bench_series_add(&bench->undisturbed_slack_ns,
                             slack_of(ev, ev->pair[p].pair, side, true));
        }
}

static double call_ns_of(const struct aisp_evidence *ev)
{
    struct aisp_quantiles q = { 0 };
    double *x;
    size_t n;

    x = aisp_evidence_samples(ev, AISP_A, &n);
    if (n)
        aisp_quantiles_of(x, n, &q, NULL);
    free(x);
    return q.p50;
}

/* Every pair of identical code is one of the same code, a control is no other. */
static int list_pairs(const struct aisp_evidence *ev, struct bench_series *each)
{
    int n, n_control, at[2] = { 0, 0 }, n_all = 0;
    double *m[2];

    aisp_evidence_pairs(ev, &m[0], &n, &m[1], &n_control);
    for (size_t i = 0; i < ev->n_pairs; i++) {
        const bool is_control = ev->pair[i].is_control;

        if (!ev->pair[i].complete || at[is_control] == (is_control ? n_control : n))
            continue;
        if (each)
            bench_series_add(each, m[is_control][at[is_control]]);
        at[is_control]++;
        n_all++;
    }
    free(m[0]);
    free(m[1]);
    return n_all;
}

static void list_beyond(const struct aisp_evidence *ev, struct bench_series *beyond_ns)
{
    for (size_t i = 0; i < ev->n_windows && beyond_ns; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->kind == AISP_WINDOW_TIMED)
            bench_series_add(beyond_ns, fmax(0, (double)(w->window_ns - w->inner_ns - ev->held.empty_ns[w->side])));
    }
}

static double window_ns_of(const struct aisp_evidence *ev)
{
    struct bench_series window = { 0 };
    double median;

    for (size_t i = 0; i < ev->n_windows; i++)
        if (ev->window[i].kind == AISP_WINDOW_TIMED)
            bench_series_add(&window, (double)ev->window[i].window_ns);
    median = bench_series_quantile(&window, 0.5);
    bench_series_release(&window);
    return median;
}

static void accuse(struct bench *bench, const char *check, const char *target, const char *text)
{
    const json_int_t n = json_integer_value(json_object_get(bench->accusations, check));

    json_object_set_new(bench->accusations, check, json_integer(n + 1));
    if (!*bench->accusation)
        snprintf(bench->accusation, sizeof bench->accusation, "%s, %s: %s", target, check, text);
}

/* All code that this program measures is honest: every accusation is a false one. */
static void count_accusations(struct bench *bench, const struct aisp_evidence *ev)
{
    struct aisp_findings findings = AISP_FINDINGS_INIT;
    const struct aisp_grading grading = { 0 };

    bench->n_honest++;
    if (aisp_examine(ev, &grading, &findings) == AISP_GRADE_INVALID) {
        bench->n_accused++;
        for (size_t i = 0; i < findings.n; i++)
            if (findings.item[i].severity == AISP_VIOLATION)
                accuse(bench, findings.item[i].check->name, ev->target, findings.item[i].text);
    }
    aisp_findings_release(&findings);
}

const struct aisp_target *bench_target(const struct aisp_catalogue *cat, const char *id, struct aisp_err *err)
{
    for (size_t i = 0; i < cat->n; i++)
        if (!strcmp(cat->target[i].id, id))
            return &cat->target[i];
    aisp_fail(err, AISP_E_NOT_FOUND, "%s: there is no target %s", cat->root, id);
    return NULL;
}

static enum aisp_status plan_init(struct bench *bench, const struct bench_comparison *c,
                                  const struct aisp_target *target,
                                  const struct aisp_problem *problem, struct aisp_plan *plan,
                                  struct aisp_err *err)
{
    const char *device = c->device ? c->device : "cpu";

    *plan = (struct aisp_plan){
        .target = c->target,
        .problem = problem,
        .size = c->n_set ? "custom" : "default",
        .backend = aisp_backend_find(device),
        .variant = { aisp_target_variant(target, c->a, device),
                     aisp_target_variant(target, c->b, device) },
        .n_threads = 1,
        .time_limit_ns = c->time_limit_ns,
        .max_pairs = c->max_pairs,
        .all_pairs = c->all_pairs,
        .scope = c->scope,
        .stop = &bench->stop,
        .progress = watch_progress,
        .secret = aisp_key_derive(&bench->secret, c->target, bench->n_comparisons++, 0, 0, 0),
    };
    if (!plan->backend)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "this program was built without the device %s", device);
    if (!plan->variant[AISP_A] || !plan->variant[AISP_B])
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s has no %s or no %s", c->target, c->a, c->b);
    return aisp_instance_init(&plan->inst, problem, AISP_SIZE_DEFAULT, c->set, c->n_set, err);
}

/* Sleep, as long as patience lasts, until a second has passed in which nearly nobody waited. Before
 * a comparison, never because of one: none is thrown away. */
static void wait_for_quiet(struct bench *bench)
{
    const struct timespec second = { 1, 0 };

    while (bench->patience_ns > 0 && !bench->stop) {
        const int64_t start_ns = aisp_now_ns(), before_us = bench_waited_us();

        nanosleep(&second, NULL);
        bench->patience_ns -= aisp_now_ns() - start_ns;
        if (before_us < 0 || bench_waited_us() - before_us < QUIET_US)
            return;
    }
}

enum aisp_status bench_compare(struct bench *bench, const struct bench_comparison *c,
                               struct bench_answer *answer, struct aisp_err *err)
{
    const struct aisp_target *target = bench_target(c->catalogue, c->target, err);
    struct aisp_loaded_problem loaded = { 0 };
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct watch watch = { .ev = &ev };
    struct aisp_plan plan;
    int64_t start_ns;
    enum aisp_status st;

    if (!target)
        return AISP_E_NOT_FOUND;
    wait_for_quiet(bench);
    start_ns = aisp_now_ns();
    *answer = (struct bench_answer){ 0 };
    AISP_TRY(aisp_problem_load(target->problem_path, &loaded, err));
    AISP_TRY(plan_init(bench, c, target, loaded.problem, &plan, err));
    plan.progress_context = &watch;
    AISP_TRY(aisp_run(&plan, &ev, err));
    count_accusations(bench, &ev);
    read_times(&ev, &watch, start_ns, answer);
    answer->window_ns = window_ns_of(&ev);
    answer->call_ns = call_ns_of(&ev);
    answer->n_pairs = list_pairs(&ev, c->each);
    list_beyond(&ev, c->beyond_ns);
    if (c->is_sample)
        sample_slack(bench, &ev);
    strcpy(answer->cache_level, ev.cache_level);
    answer->calls = ev.calls_per_window;
    if (aisp_run_verdict(&ev, &answer->look, NULL)) /* not one pair was finished */
        answer->look = (struct aisp_look_result){ .verdict = AISP_UNSURE, .ratio = 1 };
out:
    aisp_evidence_release(&ev);
    aisp_problem_unload(&loaded);
    return st;
}
