/* watch.c - an audit session on a card, seen from the supervisor: which recorder its worker loads, when each window was, how busy the
 * device was before and after it; and at the end the trace.
 * A scored session passes through as it is; of it, as of the audit, the worker's count of launches is kept (worker/launches.c).
 * The count of an audit is the same one, and not the recorder's, which sees more: like is compared with like. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cuda/judge.h"
#include "backends/cuda/trace.h"
#include "core/base/buf.h"
#include "core/base/clock.h"

/* There is one judge, hence one session at a time. */
static struct cuda_seen watched;
static struct {
    int64_t n_windows, n_counted, calls, launches;
    double contents, sum, squares; /* as in core/device_trace.h */
} counted[2]; /* of each side, but for its first window */
static int n_kept; /* windows of the audit whose workspace keeps what it holds */
static char recorder[4096];

static const char *find_recorder(void)
{
    const ssize_t n = readlink("/proc/self/exe", recorder, sizeof recorder - 32);
    char *slash;

    if (n < 0)
        return NULL;
    recorder[n] = 0;
    slash = strrchr(recorder, '/');
    strcpy(slash ? slash + 1 : recorder, "libaisp-recorder.so");
    return access(recorder, R_OK) ? NULL : recorder;
}

static int64_t probe(void *judge)
{
    int64_t took_ns = 0;

    return cuda_judge_probe(judge, &took_ns, NULL) ? 0 : took_ns;
}

static int by_time(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

/* The median of a few on an idle device, for a judge that is put aside in one of them would have every window pass; and no less
 * than what the card's turn from a worker's context to the judge's costs: 150 to 180 us on an H100. One in use makes it
 * milliseconds. */
int64_t cuda_watch_idle_probe(void *judge)
{
    enum { TURN_NS = 150000, PROBES = 5 };
    int64_t ns[PROBES];

    for (int i = 0; i < PROBES; i++)
        ns[i] = probe(judge);
    qsort(ns, PROBES, sizeof *ns, by_time);
    return ns[PROBES / 2] > TURN_NS ? ns[PROBES / 2] : TURN_NS;
}

void cuda_watch_open(const struct aisp_session_spec *spec, struct cpu_far *far)
{
    far->recorder = spec->is_audit ? find_recorder() : NULL;
    far->record_bytes = sizeof(struct record_area);
    memset(counted, 0, sizeof counted);
    if (!spec->is_audit)
        return;
    n_kept = 2 + (spec->secret.b[0] & 1);
    watched = (struct cuda_seen){ .opened_ns = aisp_now_ns() };
    watched.idle_probe_ns = cuda_watch_idle_probe(far->judge);
}

/* What was done is written out while nothing is timed. Its own thread counts as none of the variant's, nor does what it used. */
static enum aisp_status write_out(struct aisp_session *s, enum aisp_side side, bool all, struct aisp_observation *seen,
                                  struct aisp_err *err)
{
    struct cpu_worker *w = &s->worker[side][0];
    enum aisp_status st;

    w->down->calls = all;
    st = cpu_command(s, side, AISP_COMMAND_RECORD, s->setup_timeout_ns, seen, err);
    if (!st)
        cpu_settle(s, w);
    return st;
}

/* In its first window a variant may do what it does once. */
static void count(const struct aisp_session *s, enum aisp_side side, int64_t calls)
{
    enum { MOST_OF_A_CALL = 1 << 20 };
    const int64_t n = s->worker[side][0].up->n_launches;
    double contents, a_call;

    if (!counted[side].n_windows++ || n < 0 || n / MOST_OF_A_CALL > calls)
        return;
    counted[side].calls += calls;
    counted[side].launches += n;
    contents = (double)(calls < s->n_slots ? calls : s->n_slots);
    a_call = (double)n / (double)calls;
    counted[side].contents += contents;
    counted[side].sum += contents * a_call;
    counted[side].squares += contents * a_call * a_call;
    counted[side].n_counted++;
}

/* From a secret window on, the workspace holds nothing of what was left there. The windows before are those that it is held
 * against. */
static enum aisp_status poison(struct aisp_session *s, enum aisp_side side, struct aisp_observation *seen, struct aisp_err *err)
{
    enum aisp_status st;

    if (watched.n_windows < n_kept)
        return AISP_OK;
    watched.window[watched.n_windows].is_poisoned = true;
    st = cpu_command(s, side, AISP_COMMAND_POISON, s->setup_timeout_ns, seen, err);
    if (!st)
        cpu_settle(s, &s->worker[side][0]);
    return st;
}

static enum aisp_status scored_window(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order,
                                      struct aisp_window *times, struct aisp_observation *seen, struct aisp_err *err)
{
    const enum aisp_status st = cpu_window(s, side, order, times, seen, err);

    if (!st)
        count(s, side, order->calls);
    return st;
}

enum aisp_status cuda_watch_window(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order,
                                   struct aisp_window *times, struct aisp_observation *seen, struct aisp_err *err)
{
    struct cuda_seen_window *w;
    enum aisp_status st;

    if (!s->record_bytes || watched.n_windows >= RECORD_MOST_WINDOWS)
        return scored_window(s, side, order, times, seen, err);
    s->worker[side][0].threads_reported = true;
    w = &watched.window[watched.n_windows];
    AISP_TRY(cpu_far_ready(s, err));
    AISP_TRY(poison(s, side, seen, err));
    w->probe_before_ns = probe(s->far->judge);
    AISP_TRY(cpu_window(s, side, order, times, seen, err));
    w->probe_after_ns = probe(s->far->judge);
    times->idle_ns = 0;
    w->go_ns = times->start_ns;
    w->done_ns = times->start_ns + times->window_ns;
    w->event_ns = times->inner_ns;
    w->gap_ns = times->gap_ns;
    w->cpu_ns = s->worker[side][0].span.cpu_ns;
    w->calls = order->calls;
    watched.n_windows++;
    count(s, side, order->calls);
    st = write_out(s, side, false, seen, err);
out:
    return st;
}

/* A process in which a recorder works looks otherwise than one that is scored. */
void cuda_watch_process(struct aisp_session *s, enum aisp_side side, enum aisp_phase phase, struct aisp_process_facts *facts)
{
    if (!s->record_bytes)
        cpu_process(s, side, phase, facts);
}

static struct cuda_seen_tensor *tensors_of(struct aisp_session *s, enum aisp_side side, const struct record_area *area)
{
    const int n = s->n_slots * s->inst.n_tensors;
    struct cuda_seen_tensor *tensor = aisp_xcalloc((size_t)n + 1, sizeof *tensor);

    for (int i = 0; i < n; i++) {
        const enum aisp_role role = s->inst.problem->tensor[i % s->inst.n_tensors].role;
        const struct aisp_area *a = &s->buffer[i].area[side];

        if (!s->buffer[i].map_bytes)
            continue;
        tensor[watched.n_tensors++] = (struct cuda_seen_tensor){
            .address = a->kind == AISP_AREA_FAR && a->file_offset < RECORD_MOST_FAR && area->far[a->file_offset]
                           ? area->far[a->file_offset]
                           : a->data_address,
            .bytes = a->data_bytes,
            .slot = role == AISP_WEIGHT ? -1 : i / s->inst.n_tensors,
            .tensor = i % s->inst.n_tensors,
            .is_input = role == AISP_IN || role == AISP_INOUT,
        };
    }
    for (int t = 0; t < s->inst.n_tensors; t++)
        watched.n_inputs += s->inst.problem->tensor[t].role == AISP_IN || s->inst.problem->tensor[t].role == AISP_INOUT;
    return tensor;
}

void cuda_watch_trace(struct aisp_session *s, enum aisp_side side, struct aisp_device_trace *trace)
{
    struct aisp_observation ignored;
    struct cuda_seen_tensor *tensor;
    struct record_area *copy;

    if (!s->record_bytes) {
        trace->scored_calls += counted[side].calls;
        trace->scored_launches += counted[side].launches;
        trace->scored_windows += counted[side].n_counted;
        trace->scored_contents += counted[side].contents;
        trace->scored_sum += counted[side].sum;
        trace->scored_squares += counted[side].squares;
        return;
    }
    if (s->worker[side][0].alive)
        write_out(s, side, true, &ignored, NULL);
    copy = aisp_xmalloc(sizeof *copy); /* the worker may write on */
    memcpy(copy, s->files[0].out + s->record_offset, sizeof *copy);
    watched.n_tensors = watched.n_inputs = 0;
    watched.tensor = tensor = tensors_of(s, side, copy);
    cuda_trace_make(copy, &watched, trace);
    trace->audit_calls = counted[side].calls;
    trace->audit_launches = counted[side].launches;
    watched.tensor = NULL;
    free(tensor);
    free(copy);
}
