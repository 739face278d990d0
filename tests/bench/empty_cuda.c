/* empty_cuda.c - a kernel that does nothing, in the kernel scope: what the harness says it takes, beside its span as CUPTI records
 * it in an audit session, and how much longer a window is than its events. Launched one by one, and as graphs of a hundred.
 * Windows are taken from the device itself, as core/run takes them: nobody compares what an empty kernel computes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/backend.h"
#include "core/device_trace.h"
#include "tests/bench/bench.h"

enum { SLOTS = 4, WINDOWS = 60, SETTLING = 8, AUDIT_WINDOWS = 4, AUDIT_CALLS = 32 };

static const struct form {
    const char *variant, *name;
    int64_t calls, kernels; /* a window, a call */
} forms[] = { { "baseline", "launched", 400, 1 }, { "graph", "in a graph", 10, 100 } };

struct held {
    const struct aisp_backend *cuda;
    const struct aisp_instance *inst;
    struct aisp_session *session;
    struct aisp_variant_ref ref;
    uint32_t n_windows;
};
struct figures {
    struct bench_series each_ns, beyond_ns, span_ns, step_ns;
    double empty_ns;
};

static enum aisp_status open_session(struct held *h, const struct bench *bench, bool is_audit, struct aisp_err *err)
{
    struct aisp_observation seen = { .what = AISP_SEEN_PROTOCOL };
    const struct aisp_session_spec spec = {
        .inst = h->inst,
        .variant = { &h->ref },
        .n_slots = SLOTS,
        .n_threads = 1,
        .spin = true,
        .secret = aisp_key_derive(&bench->secret, h->ref.name, is_audit, 0, 0, 0),
        .setup_timeout_ns = INT64_C(60000000000),
        .call_timeout_ns = INT64_C(10000000000),
        .stop = &bench->stop,
        .scope = is_audit ? AISP_SCOPE_CALL : AISP_SCOPE_KERNEL,
        .is_audit = is_audit,
    };
    const enum aisp_status st = h->cuda->open(&spec, &h->session, &seen, err);

    h->n_windows = 0;
    return st == AISP_E_WORKER ? aisp_fail(err, st, "cuda:empty/%s: %s, %s", h->ref.name, aisp_seen_name(seen.what), seen.detail)
                               : st;
}

/* Contents come when the calls are queued, as always. */
static enum aisp_status make_contents(struct held *h, struct aisp_err *err)
{
    const struct aisp_philox key = { { h->n_windows, 1 }, { 2, 3 } };
    enum aisp_status st = AISP_OK;

    for (int slot = 0; slot < SLOTS; slot++) {
        AISP_TRY(h->cuda->fill(h->session, slot, 0, &key, 0, 0, err));
        AISP_TRY(h->cuda->poison(h->session, slot, 1, &key, err));
    }
out:
    return st;
}

/* *is_held: shall it be, and was it? */
static enum aisp_status take(struct held *h, int64_t calls, bool *is_held, struct aisp_window *w, struct aisp_err *err)
{
    static const int32_t slot[SLOTS] = { 2, 0, 3, 1 };
    const struct aisp_order order = { slot, SLOTS, calls, NULL, NULL };
    struct aisp_observation seen = { .what = AISP_SEEN_PROTOCOL };
    enum aisp_status st = AISP_OK;

    memset(w, 0, sizeof *w);
    h->n_windows++;
    if (*is_held)
        AISP_TRY(h->cuda->hold(h->session, AISP_A, &order, is_held, &seen, err));
    AISP_TRY(make_contents(h, err));
    st = h->cuda->window(h->session, AISP_A, &order, w, &seen, err);
out:
    return st == AISP_E_WORKER ? aisp_fail(err, st, "cuda:empty/%s: %s, %s", h->ref.name, aisp_seen_name(seen.what), seen.detail)
                               : st;
}

static enum aisp_status measure_windows(struct held *h, const struct bench *bench, const struct form *form, struct figures *f,
                                        struct aisp_err *err)
{
    struct aisp_account account = { 0 };
    struct aisp_window w;
    enum aisp_status st;

    AISP_TRY(open_session(h, bench, false, err));
    AISP_TRY(take(h, SLOTS, &(bool){ false }, &w, err)); /* what is loaded late is loaded */
    for (int i = 0; i < WINDOWS + SETTLING; i++) {
        bool is_held = true;

        AISP_TRY(take(h, form->calls, &is_held, &w, err));
        if (!is_held) {
            st = aisp_fail(err, AISP_E_UNAVAILABLE, "%lld empty calls cannot be held here", (long long)form->calls);
            goto out;
        }
        if (i < SETTLING)
            continue;
        bench_series_add(&f->each_ns, (double)w.window_ns / (double)(form->calls * form->kernels));
        bench_series_add(&f->beyond_ns, (double)(w.window_ns - w.inner_ns));
    }
    h->cuda->account(h->session, AISP_A, &account);
    f->empty_ns = (double)account.empty_ns;
out:
    if (h->session)
        h->cuda->close(h->session);
    h->session = NULL;
    return st;
}

static void add_spans(const struct aisp_device_trace *trace, struct figures *f)
{
    int64_t before_ns = -1;

    for (size_t i = 0; i < trace->n_activities; i++) {
        const struct aisp_device_activity *a = &trace->activity[i];

        if (a->kind != AISP_DEVICE_KERNEL || a->window < 1 || a->end_ns < 0)
            continue;
        if (before_ns >= 0 && a->start_ns > before_ns)
            bench_series_add(&f->step_ns, (double)(a->start_ns - before_ns));
        before_ns = a->start_ns;
        bench_series_add(&f->span_ns, (double)(a->end_ns - a->start_ns));
    }
}

/* A recorder that is not there records nothing, and the figure says so. */
static enum aisp_status measure_spans(struct held *h, const struct bench *bench, struct figures *f, struct aisp_err *err)
{
    static struct aisp_device_trace trace;
    struct aisp_window w;
    enum aisp_status st;

    AISP_TRY(open_session(h, bench, true, err));
    for (int i = 0; i < AUDIT_WINDOWS; i++)
        AISP_TRY(take(h, AUDIT_CALLS, &(bool){ false }, &w, err));
    h->cuda->trace(h->session, AISP_A, &trace);
    add_spans(&trace, f);
    aisp_device_trace_release(&trace);
out:
    if (h->session)
        h->cuda->close(h->session);
    h->session = NULL;
    return st;
}

static void report(struct bench *bench, const struct form *form, const struct figures *f)
{
    const double each_us = 1e-3 * bench_series_quantile(&f->each_ns, 0.5), span_us = 1e-3 * bench_series_quantile(&f->span_ns, 0.5);
    const double median = 1e-3 * (bench_series_quantile(&f->beyond_ns, 0.5) - f->empty_ns),
                 p95 = 1e-3 * (bench_series_quantile(&f->beyond_ns, 0.95) - f->empty_ns);
    struct bench_figure apart = { .unit = "us", .value = fabs(each_us - span_us), .goal = 0.3, .kind = BENCH_AT_MOST,
                                  .goal_text = "+-0.3 us" };
    char what[64];

    snprintf(what, sizeof what, "empty, %s: window and span", form->name);
    apart.what = what;
    if (f->span_ns.n)
        bench_report(bench, &apart, "%.3f us, CUPTI %.3f (each %.3f)", each_us, span_us,
                     1e-3 * bench_series_quantile(&f->step_ns, 0.5));
    else
        bench_report(bench, &(struct bench_figure){ .what = what, .unit = "us", .value = each_us }, "%.3f us, CUPTI saw nothing",
                     each_us);
    snprintf(what, sizeof what, "empty, %s: hidden time", form->name);
    bench_report(bench,
                 &(struct bench_figure){ .what = what, .unit = "us", .value = fmax(0, p95), .goal = 2, .kind = BENCH_AT_MOST,
                                         .goal_text = "<= 2 us" },
                 "median %.2f us, p95 %.2f", fmax(0, median), fmax(0, p95));
    snprintf(what, sizeof what, "empty, %s: beyond the events", form->name);
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "us", .value = 1e-3 * f->empty_ns },
                 "median %.2f us, p95 %.2f; no calls %.2f", median + 1e-3 * f->empty_ns, p95 + 1e-3 * f->empty_ns,
                 1e-3 * f->empty_ns);
}

static enum aisp_status measure_form(struct bench *bench, struct held *h, const struct aisp_target *target,
                                     const struct form *form, struct aisp_err *err)
{
    const struct aisp_variant_ref *ref = aisp_target_variant(target, form->variant, "cuda");
    struct figures f = { 0 };
    enum aisp_status st;

    if (!ref)
        return aisp_fail(err, AISP_E_NOT_FOUND, "%s has no %s on cuda", target->id, form->variant);
    h->ref = *ref;
    AISP_TRY(measure_windows(h, bench, form, &f, err));
    AISP_TRY(measure_spans(h, bench, &f, err));
    report(bench, form, &f);
out:
    bench_series_release(&f.each_ns);
    bench_series_release(&f.beyond_ns);
    bench_series_release(&f.span_ns);
    bench_series_release(&f.step_ns);
    return st;
}

enum aisp_status bench_cuda_empty(struct bench *bench, struct aisp_err *err)
{
    const struct aisp_target *target = bench_target(&bench->own, "cuda:empty", err);
    struct held h = { .cuda = aisp_backend_find("cuda") };
    struct aisp_loaded_problem loaded = { 0 };
    struct aisp_instance inst;
    enum aisp_status st;

    if (!target)
        return AISP_E_NOT_FOUND;
    if (!h.cuda)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "this program was built without the device cuda");
    bench_report_section(bench, "an empty kernel, kernel scope");
    AISP_TRY(h.cuda->probe(err));
    AISP_TRY(aisp_problem_load(target->problem_path, &loaded, err));
    AISP_TRY(aisp_instance_init(&inst, loaded.problem, AISP_SIZE_DEFAULT, NULL, 0, err));
    h.inst = &inst;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        AISP_TRY(measure_form(bench, &h, target, &forms[i], err));
out:
    aisp_problem_unload(&loaded);
    return st;
}
