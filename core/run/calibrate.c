/* calibrate.c - clock, empty windows, slack, speed of the judge, and the reference compared with itself.
 * A/A runs are whole comparisons of one variant with itself, with everything that a real one has: their verdicts count how
 * often this machine would lie, their centres how far off it is when it does not. */
#include "core/run/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/judge/fill.h"
#include "core/run/rig.h"
#include "core/run/wake.h"

enum {
    EMPTY_WINDOWS = 400,
    CLOCK_READINGS = 20000,
    MANY_CALLS = 20000,
    CALL_COST_WINDOWS = 60,
    COMPARE_ROUNDS = 20
};
static const int64_t AA_TIME_NS = 2000000000;

/* The yardsticks of the cache classes; L3 has none of its own. */
static const char *const class_ids[4] = { "harness:tiny", "harness:l2", NULL, "harness:dram" };

struct series {
    double *x;
    size_t n, cap;
};

static void add(struct series *s, double x)
{
    *(double *)aisp_grow(&s->x, &s->n, &s->cap, sizeof *s->x) = x;
}

/* p50, p95, p99; the series is sorted and given back empty. */
static void quantiles(struct series *s, double q[3])
{
    static const double p[3] = { 0.50, 0.95, 0.99 };

    aisp_sort(s->x, s->n);
    for (int i = 0; i < 3; i++)
        q[i] = s->n ? aisp_quantile_sorted(s->x, s->n, p[i]) : 0;
    free(s->x);
    *s = (struct series){ 0 };
}

static void measure_clock(struct aisp_calibration *cal)
{
    const int64_t start = aisp_now_ns();
    int64_t last = start, step = INT64_MAX;

    for (int i = 0; i < CLOCK_READINGS; i++) {
        const int64_t now = aisp_now_ns();

        if (now > last && now - last < step)
            step = now - last;
        last = now;
    }
    cal->clock_step_ns = (double)step;
    cal->clock_cost_ns = (double)(last - start) / CLOCK_READINGS;
}

/* A yardstick, loaded. */
struct yardstick {
    const struct aisp_target *target;
    struct aisp_loaded_problem problem;
    struct aisp_plan plan;
};

static const struct aisp_target *find(const struct aisp_catalogue *cat, const char *id)
{
    for (size_t i = 0; i < cat->n; i++)
        if (!strcmp(cat->target[i].id, id))
            return &cat->target[i];
    return NULL;
}

static enum aisp_status yardstick_open(struct yardstick *y, const struct aisp_calibrate_spec *spec,
                                       const char *id, const char *set, struct aisp_err *err)
{
    enum aisp_status st;

    memset(y, 0, sizeof *y);
    y->target = find(spec->catalogue, id);
    if (!y->target)
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s: the harness's own target is not there", id);
    AISP_TRY(aisp_problem_load(y->target->problem_path, &y->problem, err));
    y->plan = (struct aisp_plan){
        .target = id,
        .problem = y->problem.problem,
        .size = "default",
        .backend = spec->backend,
        .n_threads = 1,
        .time_limit_ns = spec->aa_time_ns ? spec->aa_time_ns : AA_TIME_NS,
        .secret = spec->secret,
        .stop = spec->stop,
        .call_timeout_ns = INT64_C(10000000000),
        .setup_timeout_ns = INT64_C(60000000000),
    };
    y->plan.variant[AISP_A] = y->plan.variant[AISP_B] =
        aisp_target_variant(y->target, "baseline", spec->backend->name);
    if (!y->plan.variant[AISP_A])
        st =
            aisp_fail(err, AISP_E_NOT_FOUND, "%s: has no baseline for %s", id, spec->backend->name);
    else
        st = aisp_instance_init(&y->plan.inst, y->plan.problem, AISP_SIZE_DEFAULT, &set,
                                set ? 1 : 0, err);
out:
    return st;
}

static void yardstick_close(struct yardstick *y)
{
    aisp_problem_unload(&y->problem);
}

/* Windows of `calls` calls into a rig, alternating between its workers. */
static enum aisp_status shoot(struct aisp_rig *rig, int i, int64_t calls, struct aisp_window *w,
                              struct aisp_err *err)
{
    const struct aisp_shot shot = { .side = i % 2,
                                    .calls = calls,
                                    .kind = AISP_WINDOW_WARMUP,
                                    .block = -1,
                                    .fill_budget_bytes = -1,
                                    .compare_budget_ns = 100000 };
    struct aisp_shot_result result;
    const enum aisp_status st = aisp_rig_window(rig, &shot, &result, err);

    if (st == AISP_OK && !result.right)
        return aisp_fail(err, AISP_E_WORKER, "a yardstick of the harness gave a wrong answer");
    *w = result.window;
    return st;
}

/* Windows of one empty call; then what a call more costs. */
static enum aisp_status empty_windows(struct aisp_rig *rig, struct aisp_calibration *cal,
                                      struct aisp_err *err)
{
    struct series window = { 0 }, gap = { 0 }, one = { 0 }, many = { 0 };
    double q_one[3], q_many[3];
    struct aisp_window w;
    enum aisp_status st = AISP_OK;

    for (int i = 0; i < EMPTY_WINDOWS; i++) {
        AISP_TRY(shoot(rig, i, 1, &w, err));
        add(&window, (double)w.window_ns);
        add(&gap, (double)w.gap_ns);
    }
    for (int i = 0; i < CALL_COST_WINDOWS; i++) {
        AISP_TRY(shoot(rig, i, i / 2 % 2 ? MANY_CALLS : 1, &w, err));
        add(w.calls == 1 ? &one : &many, (double)w.window_ns);
    }
out:
    quantiles(&window, cal->empty_window_ns);
    quantiles(&gap, cal->gap_ns);
    quantiles(&one, q_one);
    quantiles(&many, q_many);
    cal->call_cost_ns = (q_many[0] - q_one[0]) / (MANY_CALLS - 1);
    return st;
}

static enum aisp_status measure_empty(const struct aisp_calibrate_spec *spec,
                                      struct aisp_calibration *cal, struct aisp_err *err)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct yardstick y;
    struct aisp_course course = { .plan = &y.plan, .ev = &ev, .start_ns = aisp_now_ns() };
    struct aisp_rig_spec rig_spec = { .course = &course,
                                      .label = { AISP_A, AISP_B },
                                      .blame = { AISP_A, AISP_B },
                                      .n_slots = 16,
                                      .phase = AISP_PHASE_TRIAL,
                                      .pair = -1 };
    enum aisp_status st;
    struct aisp_rig rig;

    AISP_TRY(yardstick_open(&y, spec, "harness:empty", NULL, err));
    aisp_environment_probe(&ev.before, "/");
    cal->spinning = course.spin = ev.before.n_usable > 1;
    rig_spec.inst = &y.plan.inst;
    rig_spec.variant[AISP_A] = rig_spec.variant[AISP_B] = y.plan.variant[AISP_A];
    rig_spec.key = aisp_key_derive(&spec->secret, "empty", 0, 0, 0, 0);
    st = aisp_rig_open(&rig, &rig_spec, err);
    if (st == AISP_OK)
        st = empty_windows(&rig, cal, err);
    aisp_rig_close(&rig, st == AISP_OK, err);
out:
    yardstick_close(&y);
    aisp_evidence_release(&ev);
    return st;
}

/* How fast the judge fills and compares, in place: no worker is needed for it. */
static enum aisp_status measure_judge(const struct aisp_calibrate_spec *spec,
                                      struct aisp_calibration *cal, struct aisp_err *err)
{
    struct aisp_buf scratch = AISP_BUF_INIT;
    struct yardstick y;
    int64_t start, fill_ns = 0, compare_ns = 0;
    float *x = NULL, *out = NULL;
    enum aisp_status st;
    size_t bytes;

    AISP_TRY(yardstick_open(&y, spec, "harness:l2", NULL, err));
    bytes = y.plan.inst.extent[0].bytes;
    x = aligned_alloc(64, (bytes + 63) / 64 * 64);
    out = aligned_alloc(64, (bytes + 63) / 64 * 64);
    for (int i = 0; i < COMPARE_ROUNDS && x && out; i++) {
        const struct aisp_key key = aisp_key_derive(&spec->secret, "judge", i, 0, 0, 0);
        const struct aisp_filling what = { y.plan.problem->tensor[0].fill, AISP_F32,
                                           y.plan.inst.extent[0].elements, aisp_philox_of(&key) };
        const void *view[2] = { x, NULL };
        const struct aisp_question q = { .inst = &y.plan.inst,
                                         .view = { view, y.plan.inst.param },
                                         .tensor = 1,
                                         .n_rows = y.plan.inst.extent[1].rows,
                                         .got = out };
        struct aisp_comparison answer;

        start = aisp_now_ns();
        aisp_fill(&what, x, 0, what.elements);
        fill_ns += aisp_now_ns() - start;
        for (int64_t k = 0; k < what.elements; k++)
            out[k] = 2.0f * x[k] + 1.0f;
        start = aisp_now_ns();
        aisp_judge(&q, &scratch, &answer);
        compare_ns += aisp_now_ns() - start;
        if (answer.kind != AISP_RIGHT)
            st = aisp_fail(err, AISP_E_WORKER,
                           "harness:l2: the judge finds a right answer wrong (%s)",
                           aisp_wrong_name(answer.kind));
    }
    cal->fill_gbps = fill_ns ? (double)bytes * COMPARE_ROUNDS / (double)fill_ns : 0;
    cal->compare_gbps = compare_ns ? (double)bytes * COMPARE_ROUNDS / (double)compare_ns : 0;
out:
    free(x);
    free(out);
    aisp_buf_release(&scratch);
    yardstick_close(&y);
    return st;
}

/* Over the runs of one class. */
struct tally {
    struct series centre, slack;
    double sum_of_squares;
    int n_pairs, n_false, n_runs;
};

/* A 95th percentile of a few centres is the luck of the worst one, and a centre of a few pairs is no centre of a dozen: below
 * these the floor stays unmeasured (0), and comparisons use the one that the statistics prescribe. */
enum { LEAST_RUNS = 10, LEAST_PAIRS = 12 };

static double median_slack(const struct aisp_evidence *ev, int32_t pair, int side,
                           struct series *all)
{
    struct series s = { 0 };
    double q[3];

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->pair == pair && w->side == side && w->kind == AISP_WINDOW_TIMED) {
            add(&s, (double)(w->window_ns - w->inner_ns));
            add(all, (double)(w->window_ns - w->inner_ns));
        }
    }
    quantiles(&s, q);
    return q[0];
}

static void tally_run(const struct aisp_evidence *ev, const struct aisp_look_result *look,
                      struct tally *t, struct aisp_calibration *cal)
{
    double *m;
    int n, n_control;

    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    for (int i = 0; i < n; i++)
        t->sum_of_squares += (m[i] - look->centre) * (m[i] - look->centre);
    t->n_pairs += n > 0 ? n - 1 : 0;
    free(m);
    t->n_runs++;
    if (n >= LEAST_PAIRS)
        add(&t->centre, fabs(look->centre));
    t->n_false += look->verdict == AISP_FASTER || look->verdict == AISP_SLOWER;
    for (size_t i = 0; i < ev->n_pairs; i++)
        for (int side = AISP_A; side <= AISP_B; side++)
            cal->slack_median_high_ns = fmax(cal->slack_median_high_ns,
                                             median_slack(ev, ev->pair[i].pair, side, &t->slack));
}

static enum aisp_status aa_run(struct yardstick *y, int run, struct tally *t,
                               struct aisp_calibration *cal, struct aisp_err *err)
{
    const struct aisp_key parent = y->plan.secret;
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_look_result look;
    enum aisp_status st;

    y->plan.secret = aisp_key_derive(&parent, y->plan.target, run, 0, 0, 0);
    AISP_TRY(aisp_run(&y->plan, &ev, err));
    if (ev.n_observations) {
        st = aisp_fail(err, AISP_E_WORKER, "%s: an honest yardstick was seen: %s (%s)",
                       y->plan.target, aisp_seen_name(ev.observation[0].what),
                       ev.observation[0].detail);
        goto out;
    }
    AISP_TRY(aisp_run_verdict(&ev, &look, err));
    tally_run(&ev, &look, t, cal);
out:
    y->plan.secret = parent;
    aisp_evidence_release(&ev);
    return st;
}

/* One disturbance of the machine can look like a misdeed of the yardstick; an honest one is not seen at it again and again. */
static enum aisp_status aa_run_unaccused(struct yardstick *y, int run, int n_runs, struct tally *t, struct aisp_calibration *cal,
                                         struct aisp_err *err)
{
    enum { TAKES = 3 };
    struct aisp_err why = { 0 };
    enum aisp_status st = AISP_E_WORKER;

    for (int take = 0; take < TAKES && st == AISP_E_WORKER; take++)
        st = aa_run(y, run + take * n_runs, t, cal, &why);
    return st ? aisp_fail(err, st, "%s", why.text) : AISP_OK;
}

/* Enough rows that one slot is twice the last cache, where the default is not. Only where there will be a floor: that is of a
 * class. Few runs are for the slack, and a gigabyte that is filled again and again for one pair of them says no more of it. */
static const char *rows_of(int level, int n_runs, char text[32])
{
    struct aisp_environment env;

    if (level != 3 || n_runs < LEAST_RUNS)
        return NULL;
    aisp_environment_probe(&env, "/");
    if (env.l3_bytes <= (INT64_C(32) << 20) || env.l3_bytes > env.available_bytes / 16)
        return NULL;
    snprintf(text, 32, "rows=%lld", (long long)(2 * env.l3_bytes / (8 * 1024)));
    return text;
}

static enum aisp_status measure_class(const struct aisp_calibrate_spec *spec, int level,
                                      struct series *slack, struct aisp_calibration *cal,
                                      struct aisp_err *err)
{
    struct tally t = { 0 };
    struct yardstick y;
    enum aisp_status st;
    char rows[32];

    AISP_TRY(yardstick_open(&y, spec, class_ids[level], rows_of(level, spec->n_aa_runs, rows), err));
    for (int run = 0; run < spec->n_aa_runs; run++) {
        if (spec->progress)
            spec->progress(spec->progress_context, class_ids[level], run, spec->n_aa_runs);
        AISP_TRY(aa_run_unaccused(&y, run, spec->n_aa_runs, &t, cal, err));
    }
    aisp_sort(t.centre.x, t.centre.n);
    if (t.centre.n >= LEAST_RUNS)
        cal->aa_floor[level] = aisp_quantile_sorted(t.centre.x, t.centre.n, 0.95);
    cal->aa_spread[level] = t.n_pairs ? sqrt(t.sum_of_squares / t.n_pairs) : 0;
    cal->n_aa_runs += t.n_runs;
    cal->n_aa_false += t.n_false;
    for (size_t i = 0; i < t.slack.n; i++)
        add(slack, t.slack.x[i]);
out:
    free(t.centre.x);
    free(t.slack.x);
    yardstick_close(&y);
    return st;
}

enum aisp_status aisp_calibrate(const struct aisp_calibrate_spec *spec,
                                struct aisp_calibration *cal, struct aisp_err *err)
{
    struct aisp_calibration fresh = { 0 };
    struct aisp_environment env;
    struct series slack = { 0 };
    enum aisp_status st;

    if (spec->n_aa_runs < 1)
        return aisp_fail(err, AISP_E_USAGE,
                         "a calibration needs at least one A/A run of each class");
    AISP_TRY(spec->backend->probe(err));
    aisp_environment_probe(&env, "/");
    aisp_environment_fingerprint(&env, fresh.host);
    measure_clock(&fresh);
    AISP_TRY(aisp_wake_latency(fresh.wake_ns, err));
    AISP_TRY(measure_empty(spec, &fresh, err));
    AISP_TRY(measure_judge(spec, &fresh, err));
    for (int level = 0; level < 4; level++)
        if (class_ids[level])
            AISP_TRY(measure_class(spec, level, &slack, &fresh, err));
    *cal = fresh;
    quantiles(&slack, cal->slack_ns);
out:
    free(slack.x);
    return st;
}
