/* timing.c - how long a call takes when nothing else runs: a first look, not evidence. Events on the call's stream around batches of
 * calls (a clock on the CPU), call slots by turns so that the last cache helps as little as memory allows.
 * INOUT tensors are not made anew between calls, so their values drift: that is no matter to most times, and to no verdict here. */
#include "plain/plain.h"


#include "core/base/clock.h"
#include "core/base/sort.h"

enum { WARM_UP = 3, LEAST_SAMPLES = 20, MOST_SAMPLES = 2000, ENOUGH_NS = 500000000, LIMIT_NS = 2000000000, BATCH_NS = 200000,
       MOST_A_BATCH = 256 };

struct stopwatch {
    struct plain_rig *rig;
    const struct aisp_variant *variant;
    const struct aisp_call *call;       /* one a slot */
    cu_event from, to;
    int next;
};

static enum aisp_status make_calls(struct stopwatch *w, int n, struct aisp_err *err)
{
    for (int i = 0; i < n; i++) {
        const enum aisp_status st = w->variant->run(&w->call[w->next]);

        if (st)
            return aisp_fail(err, st, "run() returned %s while it was timed", aisp_status_name(st));
        w->next = (w->next + 1) % w->rig->n_slots;
    }
    return AISP_OK;
}

static enum aisp_status event_failed(const struct stopwatch *w, const char *call, int error, struct aisp_err *err)
{
    char text[200];

    cuda_driver_say(&w->rig->machine.driver, call, error, text);
    return aisp_fail(err, AISP_E_DEVICE, "%s", text);
}

/* Nanoseconds of n calls. */
static enum aisp_status take_sample(struct stopwatch *w, int n, double *ns, struct aisp_err *err)
{
    const struct plain_machine *m = &w->rig->machine;
    const int64_t start = aisp_now_ns();
    enum aisp_status st = AISP_OK;
    float ms = 0;
    int error;

    if (m->is_cuda && (error = m->driver.event_record(w->from, m->stream)))
        return event_failed(w, "cuEventRecord", error, err);
    AISP_TRY(make_calls(w, n, err));
    *ns = (double)(aisp_now_ns() - start);
    if (!m->is_cuda)
        return AISP_OK;
    if ((error = m->driver.event_record(w->to, m->stream)))
        return event_failed(w, "cuEventRecord", error, err);
    if ((error = m->driver.event_synchronize(w->to)))
        return event_failed(w, "cuEventSynchronize", error, err);
    if ((error = m->driver.event_elapsed(&ms, w->from, w->to)))
        return event_failed(w, "cuEventElapsedTime", error, err);
    *ns = (double)ms * 1e6;
out:
    return st;
}

static enum aisp_status take_samples(struct stopwatch *w, struct plain_result *result, struct aisp_err *err)
{
    double sample[MOST_SAMPLES], ns;
    const int64_t start = aisp_now_ns();
    enum aisp_status st;
    int n = 0, batch;

    for (int i = 0; i < WARM_UP; i++)
        AISP_TRY(take_sample(w, 1, &ns, err));
    batch = ns >= BATCH_NS ? 1 : (int)(BATCH_NS / (ns + 1)) + 1;
    batch = batch > MOST_A_BATCH ? MOST_A_BATCH : batch;
    while (n < MOST_SAMPLES) {
        const int64_t spent = aisp_now_ns() - start;

        if ((n >= LEAST_SAMPLES && spent > ENOUGH_NS) || (n > 0 && spent > LIMIT_NS))
            break;
        AISP_TRY(take_sample(w, batch, &ns, err));
        sample[n++] = ns / batch;
    }
    aisp_sort(sample, (size_t)n);
    result->us = (sample[n / 2] + sample[(n - 1) / 2]) / 2e3;
    result->us_p5 = sample[(n - 1) * 5 / 100] / 1e3;
    result->us_p95 = sample[(n - 1) * 95 / 100] / 1e3;
    result->n_samples = n;
    result->per_sample = batch;
out:
    return st;
}

enum aisp_status plain_time(struct plain_rig *rig, const struct aisp_variant *variant, const struct aisp_call *call,
                            struct plain_result *result, struct aisp_err *err)
{
    struct stopwatch w = { .rig = rig, .variant = variant, .call = call };
    struct plain_machine *m = &rig->machine;
    enum aisp_status st;
    int error = 0;

    if (m->is_cuda && ((error = m->driver.event_create(&w.from, 0)) || (error = m->driver.event_create(&w.to, 0))))
        AISP_TRY(event_failed(&w, "cuEventCreate", error, err));
    AISP_TRY(take_samples(&w, result, err));
    st = plain_synchronize(m, "the timed calls", err);
out:
    if (w.from)
        m->driver.event_destroy(w.from);
    if (w.to)
        m->driver.event_destroy(w.to);
    return st;
}
