/* judge.c - the costs around a window: what the worker's loop adds to a call, and how fast
 * contents and poison are written and outputs compared. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <aisp/variant.h>

#include "core/base/clock.h"
#include "core/judge/fill.h"
#include "core/judge/judge.h"
#include "core/run/calibrate.h"
#include "tests/bench/bench.h"

enum { ROUNDS = 41, POISON_BYTES = 1 << 20, CALLS = 20000 };

static const struct aisp_target *target_of(const struct bench *bench, const char *id,
                                           struct aisp_err *err)
{
    for (size_t i = 0; i < bench->targets.n; i++)
        if (!strcmp(bench->targets.target[i].id, id))
            return &bench->targets.target[i];
    aisp_fail(err, AISP_E_NOT_FOUND, "%s: there is no target %s", bench->targets.root, id);
    return NULL;
}

/* The emptiest kernel's own time: the median over rounds of the plainest loop that anybody would
 * write around it, in this process (it is ours, so it may be loaded here). */
static enum aisp_status bare_call_ns(const struct bench *bench, double *call_ns,
                                     struct aisp_err *err)
{
    const struct aisp_target *target = target_of(bench, "harness:empty", err);
    const struct aisp_variant_ref *ref =
        target ? aisp_target_variant(target, "baseline", "cpu") : NULL;
    _Alignas(64) float x[4] = { 1, 1, 1, 1 }, y[4];
    void *const tensor[] = { x, y };
    const int64_t param[] = { 1, 4 };
    const struct aisp_call call = {
        .tensor = tensor, .param = param, .n_threads = 1, .n_ranks = 1
    };
    const struct aisp_variant *variant;
    struct bench_series ns = { 0 };
    void *handle;

    if (!ref)
        return AISP_E_NOT_FOUND;
    handle = dlopen(ref->path, RTLD_NOW | RTLD_LOCAL);
    variant = handle ? dlsym(handle, "aisp_variant") : NULL;
    if (!variant)
        return aisp_fail(err, AISP_E_REFUSED, "%s", dlerror());
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t start_ns = aisp_now_ns();

        for (int k = 0; k < CALLS; k++)
            variant->run(&call);
        bench_series_add(&ns, (double)(aisp_now_ns() - start_ns) / CALLS);
    }
    *call_ns = bench_series_quantile(&ns, 0.5);
    bench_series_release(&ns);
    dlclose(handle);
    return AISP_OK;
}

/* Into a buffer that is there already, as outputs are poisoned before each window. */
static double poison_gbps(const struct bench *bench)
{
    const struct aisp_philox key = aisp_philox_of(&bench->secret);
    void *buffer = aligned_alloc(64, POISON_BYTES);
    struct bench_series ns = { 0 };
    double gbps;

    if (!buffer)
        return 0;
    memset(buffer, 1, POISON_BYTES);
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t start_ns = aisp_now_ns();

        aisp_poison(buffer, POISON_BYTES, AISP_F32, &key);
        bench_series_add(&ns, (double)(aisp_now_ns() - start_ns));
    }
    gbps = POISON_BYTES / bench_series_quantile(&ns, 0.5);
    bench_series_release(&ns);
    free(buffer);
    return gbps;
}

/* GB/s of f32 elements, medians over rounds: filled; judged, truth and all; and compared, that is
 * judged less the truth. */
struct speeds {
    double fill, judge, compare;
};

struct work {
    const struct aisp_instance *inst;
    struct aisp_key secret;
    float *x, *y;
    double *truth;
    struct aisp_buf scratch;
    struct bench_series fill_ns, judge_ns, truth_ns;
};

static bool one_round(struct work *w, int round)
{
    const struct aisp_key key = aisp_key_derive(&w->secret, "judge", round, 0, 0, 0);
    const struct aisp_problem *problem = w->inst->problem;
    const struct aisp_filling what = { problem->tensor[0].fill, AISP_F32,
                                       w->inst->extent[0].elements, aisp_philox_of(&key) };
    const void *inputs[] = { w->x, NULL };
    const struct aisp_question q = { .inst = w->inst,
                                     .view = { inputs, w->inst->param },
                                     .tensor = 1,
                                     .n_rows = w->inst->extent[1].rows,
                                     .got = w->y };
    struct aisp_comparison answer;
    int64_t at_ns[4];

    at_ns[0] = aisp_now_ns();
    aisp_fill(&what, w->x, 0, what.elements);
    at_ns[1] = aisp_now_ns();
    problem->reference(&q.view, 1, 0, q.n_rows, w->truth);
    at_ns[2] = aisp_now_ns();
    for (int64_t i = 0; i < what.elements; i++)
        w->y[i] = (float)w->truth[i];
    at_ns[3] = aisp_now_ns();
    aisp_judge(&q, &w->scratch, &answer);
    bench_series_add(&w->judge_ns, (double)(aisp_now_ns() - at_ns[3]));
    bench_series_add(&w->fill_ns, (double)(at_ns[1] - at_ns[0]));
    bench_series_add(&w->truth_ns, (double)(at_ns[2] - at_ns[1]));
    return answer.kind == AISP_RIGHT;
}

static enum aisp_status judge_speeds(const struct bench *bench, struct speeds *s,
                                     struct aisp_err *err)
{
    const struct aisp_target *target = target_of(bench, "harness:l2", err);
    struct aisp_loaded_problem loaded = { 0 };
    struct work w = { .secret = bench->secret };
    struct aisp_instance inst;
    enum aisp_status st;
    double bytes;

    if (!target)
        return AISP_E_NOT_FOUND;
    AISP_TRY(aisp_problem_load(target->problem_path, &loaded, err));
    AISP_TRY(aisp_instance_init(&inst, loaded.problem, AISP_SIZE_DEFAULT, NULL, 0, err));
    w.inst = &inst;
    bytes = (double)inst.extent[0].bytes;
    w.x = aligned_alloc(64, (inst.extent[0].bytes + 63) / 64 * 64);
    w.y = aligned_alloc(64, (inst.extent[0].bytes + 63) / 64 * 64);
    w.truth = aligned_alloc(64, (2 * inst.extent[0].bytes + 63) / 64 * 64);
    if (!w.x || !w.y || !w.truth) {
        st = aisp_fail(err, AISP_E_NO_MEMORY, "no memory for %.0f bytes", bytes);
        goto out;
    }
    for (int i = 0; i < ROUNDS; i++)
        if (!one_round(&w, i))
            st = aisp_fail(err, AISP_E_WORKER,
                           "harness:l2: the judge finds the rounded truth wrong");
    s->fill = bytes / bench_series_quantile(&w.fill_ns, 0.5);
    s->judge = bytes / bench_series_quantile(&w.judge_ns, 0.5);
    s->compare =
        bytes / (bench_series_quantile(&w.judge_ns, 0.5) - bench_series_quantile(&w.truth_ns, 0.5));
out:
    free(w.x);
    free(w.y);
    free(w.truth);
    aisp_buf_release(&w.scratch);
    bench_series_release(&w.fill_ns);
    bench_series_release(&w.judge_ns);
    bench_series_release(&w.truth_ns);
    aisp_problem_unload(&loaded);
    return st;
}

static void show_progress(void *context, const char *what, int done, int of)
{
    bench_progress(context, "calibrating: %s, %d of %d", what, done, of);
}

static void report_clock(struct bench *bench, const struct aisp_calibration *cal, double bare_ns)
{
    const double added_ns = cal->call_cost_ns - bare_ns;

    bench_report(
        bench, &(struct bench_figure){ .what = "clock", .unit = "ns", .value = cal->clock_step_ns },
        "step %.0f ns, a reading costs %.0f ns", cal->clock_step_ns, cal->clock_cost_ns);
    bench_report(bench,
                 &(struct bench_figure){ .what = "window of one empty call",
                                         .unit = "ns",
                                         .value = cal->empty_window_ns[0] },
                 "p50 %.0f ns, p95 %.0f, p99 %.0f", cal->empty_window_ns[0],
                 cal->empty_window_ns[1], cal->empty_window_ns[2]);
    bench_report(bench,
                 &(struct bench_figure){ .what = "wake-up of a sleeping thread",
                                         .unit = "ns",
                                         .value = cal->wake_ns[0] },
                 "p50 %.1f us, p99 %.1f", 1e-3 * cal->wake_ns[0], 1e-3 * cal->wake_ns[2]);
    bench_report(bench,
                 &(struct bench_figure){ .what = "added to a call by the worker",
                                         .unit = "ns",
                                         .value = added_ns,
                                         .goal = 3,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = "<= 3 ns" },
                 "%.2f ns (%.2f; bare loop %.2f)", added_ns, cal->call_cost_ns, bare_ns);
}

static void report_rate(struct bench *bench, const char *what, double gbps, double goal,
                        const char *goal_text)
{
    bench_report(bench,
                 &(struct bench_figure){ .what = what,
                                         .unit = "GB/s",
                                         .value = gbps,
                                         .goal = goal,
                                         .kind = goal > 0 ? BENCH_AT_LEAST : BENCH_NO_GOAL,
                                         .goal_text = goal_text },
                 "%.1f GB/s", gbps);
}

enum aisp_status bench_judge(struct bench *bench, struct aisp_err *err)
{
    const struct aisp_calibrate_spec spec = {
        .backend = bench->backend,
        .catalogue = &bench->targets,
        .n_aa_runs = 1,
        .aa_time_ns = 1000000000,
        .secret = bench->secret,
        .stop = &bench->stop,
        .progress = show_progress,
        .progress_context = bench,
    };
    struct aisp_calibration cal = { 0 };
    struct speeds speeds = { 0 };
    double bare_ns = 0;
    enum aisp_status st;

    bench_report_section(bench, "the clock and the judge");
    AISP_TRY(bare_call_ns(bench, &bare_ns, err));
    AISP_TRY(judge_speeds(bench, &speeds, err));
    AISP_TRY(aisp_calibrate(&spec, &cal, err));
    report_clock(bench, &cal, bare_ns);
    report_rate(bench, "contents, uniform f32", speeds.fill, 3.7, ">= 3.7 GB/s");
    report_rate(bench, "comparison of f32 with its truth", speeds.compare, 9, ">= 9 GB/s");
    report_rate(bench, "  making the truth included", speeds.judge, 0, NULL);
    report_rate(bench, "poison", poison_gbps(bench), 23, ">= 23 GB/s");
    bench_report_pressure(bench);
out:
    return st;
}
