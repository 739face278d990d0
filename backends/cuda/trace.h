/* trace.h - an audit session on a card: what the supervisor saw of it (windows, probes), what the worker's recorder wrote (record.h),
 * and the struct aisp_device_trace that both make together.
 * Not here: who writes the records (recorder_cuda/, worker/recorder.c), what a trace means (checks/). */
#ifndef AISP_CUDA_TRACE_H
#define AISP_CUDA_TRACE_H

#include "backends/cpu/cpu.h"
#include "backends/cuda/record.h"
#include "core/device_trace.h"

/* One window, by the supervisor's own clocks; event_ns is the worker's word. */
struct cuda_seen_window {
    int64_t go_ns, done_ns, event_ns, calls, probe_before_ns, probe_after_ns;
    int64_t gap_ns, cpu_ns; /* from arm to go, which the worker spins away until it has its turn on the card; CPU time from arm to sleep */
    bool is_poisoned; /* the workspace was, before it */
};

/* A tensor of a slot in the worker's address space; slot -1: a weight. */
struct cuda_seen_tensor {
    uint64_t address, bytes;
    int slot, tensor;
    bool is_input;
};

struct cuda_seen {
    int64_t opened_ns, idle_probe_ns;
    int n_windows, n_tensors, n_inputs; /* n_inputs: of one call */
    struct cuda_seen_window window[RECORD_MOST_WINDOWS];
    const struct cuda_seen_tensor *tensor;
};

/* trace_make.c. Nothing that stands in the area is believed: numbers are bounded, texts end. Not taken: *trace stays as it was. */
void cuda_trace_make(const struct record_area *area, const struct cuda_seen *seen, struct aisp_device_trace *trace);

/* trace_clock.c: the supervisor's time of a device's, and how far it may be off. */
struct cuda_clock {
    struct { uint64_t device; int64_t ahead_ns; } pair[RECORD_MOST_PAIRS]; /* ahead_ns: the supervisor's minus the device's */
    uint32_t n; /* 0: no two readings of the area make sense */
    int64_t error_ns;
};
void cuda_clock_init(struct cuda_clock *clock, const struct record_area *area);
int64_t cuda_clock_ns(const struct cuda_clock *clock, uint64_t device);

/* trace_code.c: the types of a kernel's matrix instructions and what else its code says, into its activity; nothing where its
 * code was not seen. */
struct cuda_codes {
    const struct record_code *code[RECORD_MOST_CODES]; /* by name */
    uint32_t n;
};
void cuda_codes_init(struct cuda_codes *codes, const struct record_area *area);
void cuda_codes_take(const struct cuda_codes *codes, uint64_t name, struct aisp_device_activity *a);
/* How many kernels there are, and how many no record of a launch names; nothing where records or codes were lost. */
void cuda_codes_count(const struct cuda_codes *codes, const struct record_area *area, struct aisp_device_trace *trace);

/* trace_order.c: which calls enqueued work in a window that its stop mark does not wait for. Nothing is said of a call whose
 * stream is not known, nor where records were lost. */
struct cuda_ran {
    uint32_t n_calls;
    const uint32_t *stream;   /* of each call: where its work ran, by the first record of it; 0: there is none */
    const bool *touches_host; /* it was a copy from or to the host's memory */
};
void cuda_order_find(const struct record_area *area, const struct cuda_ran *ran, int32_t n_windows, bool *unjoined);

/* watch.c: the backend's functions, as in struct aisp_backend. Sessions that are no audit pass through. */
/* What a probe takes on an idle device: the limit of one that waits for something is made of it. */
int64_t cuda_watch_idle_probe(void *judge);
void cuda_watch_open(const struct aisp_session_spec *spec, struct cpu_far *far);
enum aisp_status cuda_watch_window(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order,
                                   struct aisp_window *times, struct aisp_observation *seen, struct aisp_err *err);
void cuda_watch_process(struct aisp_session *s, enum aisp_side side, enum aisp_phase phase, struct aisp_process_facts *facts);
void cuda_watch_trace(struct aisp_session *s, enum aisp_side side, struct aisp_device_trace *trace);

#endif
