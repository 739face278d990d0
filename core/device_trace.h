/* device_trace.h - what an audit pass saw of a device, for one side: plain data, bounded.
 * An audit pass is a session that looks like any other, its outputs compared as ever, but with the driver's callbacks and
 * activity records switched on. It is never scored. A scored session adds its launch counters only.
 * Not here: what a fact means (checks/), how it is gathered (a backend; backends/fake plays it from a script).
 * Why one list of activities: kernels, copies and host functions are told apart by few fields, and all checks ask the same
 * of them: which call enqueued it, on what stream, and when was it over.
 *
 * Times are ns of the supervisor's clock since the start of the pass; device clocks are brought to it by the backend, which
 * says how far it may be off (clock_error_ns). The harness's own copies, probes and marks are not in the list. */
#ifndef AISP_CORE_DEVICE_TRACE_H
#define AISP_CORE_DEVICE_TRACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum aisp_device_kind {
    AISP_DEVICE_KERNEL,
    AISP_DEVICE_COPY,
    AISP_DEVICE_MEMSET,
    AISP_DEVICE_SYNC,     /* the variant waited for a stream, an event or the device */
    AISP_DEVICE_CALLBACK, /* a host function that a stream or a graph ran */
    AISP_DEVICE_ALLOC,
    AISP_DEVICE_FREE,
    AISP_DEVICE_COMPILE,  /* a module was loaded or compiled */
    AISP_DEVICE_FAULT,    /* pages of managed memory moved on demand */
    AISP_DEVICE_PREFETCH, /* the same, on request */
    AISP_DEVICE_N_KINDS
};
const char *aisp_device_kind_name(int kind);

enum aisp_device_memory {
    AISP_AT_UNKNOWN,
    AISP_AT_DEVICE,
    AISP_AT_PINNED,
    AISP_AT_PAGEABLE,
    AISP_AT_MANAGED,
    AISP_AT_PEER,         /* of another device */
    AISP_AT_N
};

/* Bits of `how`. */
enum {
    AISP_HOW_GRAPH = 1,         /* a node of graph `graph` */
    AISP_HOW_COOPERATIVE = 2,
    AISP_HOW_FROM_DEVICE = 4,   /* launched by a kernel, or a graph by the device */
    AISP_HOW_PROGRAMMATIC = 8,  /* a dependent launch that may begin, or let others begin, before the end */
    AISP_HOW_FROM_CALLBACK = 16, /* enqueued by a host function or by a thread that one woke */
    AISP_HOW_POOL = 32,         /* an allocation out of a pool */
    AISP_HOW_SPARSE = 128,      /* its code has instructions for sparse matrices */
    AISP_HOW_UNJOINED = 256,    /* the stop mark of its window does not wait for it, whenever it ended */
    AISP_HOW_LAUNCHES = 512,    /* of a kernel: its module holds what launches from the device */
    AISP_HOW_UNREAD = 1024,     /* of a compilation: the code that it made could not be read */
    AISP_HOW_ALL = 2047         /* and 64, which is none any more */
};

/* Where a copy reads and writes: a tensor of the call by index, or one of these. */
enum { AISP_PLACE_OWN = -1, AISP_PLACE_WORKSPACE = -2, AISP_PLACE_UNKNOWN = -3 };

struct aisp_device_activity {
    int8_t kind, phase;         /* enum aisp_device_kind, enum aisp_phase of its enqueueing */
    int8_t from, to;            /* enum aisp_device_memory; `to` also of allocations */
    int32_t window;             /* in window[], in which it was enqueued; -1: outside of all */
    int32_t call, slot;         /* there; -1 outside */
    int32_t device, context, stream, graph; /* graph: id of the graph it belongs to or -1 */
    int32_t source, target;     /* of copies */
    uint32_t how;
    int64_t enqueued_ns, start_ns, end_ns;  /* end -1: none was seen */
    int64_t bytes;
    int64_t n_blocks;           /* of a kernel: its grid; 0: unknown */
    char math[12];              /* types of its matrix instructions, as its code says: "tf32", "f16"; "": none */
    char name[64];
    char code[20];              /* of a kernel: a hash of its machine code, in hexadecimal; "": not known */
    int64_t n_threads, shared_bytes; /* of a kernel's block; 0: none, or not known */
};

struct aisp_device_stream { int32_t id, context, priority; bool is_harness, non_blocking; int8_t phase; };
struct aisp_device_context { int32_t id, device, window; bool is_harness; int8_t phase; };

/* An instantiated graph. Slot: whose addresses it was captured with; -1: any, by updates or by the variant's own pointers. */
struct aisp_device_graph {
    int32_t id, window, slot;
    int8_t phase;
    int32_t n_kernels, n_copies, n_memsets, n_callbacks;
    int32_t n_inputs_read, n_inputs; /* of a call's inputs, how many are an argument or a source of some node */
};

/* A window of the audit pass. */
struct aisp_device_window {
    int8_t phase;
    int64_t calls;
    int64_t go_ns, done_ns;             /* the supervisor's */
    int64_t start_mark_ns, stop_mark_ns; /* when the harness's marks in the given stream were reached; 0: none */
    int64_t event_ns;                   /* between them by the events' word */
    int64_t probe_before_ns, probe_after_ns; /* of a copy and a tiny kernel right before go and right after done; 0: none */
    int64_t api_ns, n_api;              /* the worker's first thread inside the driver */
    int64_t host_cpu_ns; /* CPU time of all its threads outside of the driver */
    bool workspace_poisoned;            /* before this window, where others kept what they had */
    int64_t n_compared, n_wrong;        /* calls */
};

/* What a library or the driver goes by, as it stood at first, and wherever it was another one than before: environment, limits. */
struct aisp_device_policy { char name[40], value[40]; int8_t phase; int32_t window; };

struct aisp_device_trace {
    bool taken;                         /* there was an audit pass */
    bool alive;                         /* every call of the harness produced its callback: nobody took the recorder away */
    int32_t device;                     /* the one given to this side */
    int64_t clock_error_ns, idle_probe_ns, window_slack_ns; /* calibrated: a probe on an idle device; window - events */
    int64_t pool_at_start_bytes;        /* in the process's memory pools before setup */
    int64_t scored_launches, scored_calls, audit_launches, audit_calls;
    /* How launches vary where data decide of them: sums over the scored windows of how many contents the calls of one had (n), of
     * n * x and of n * x * x, x being its launches a call. Windows 0: a record from before these were kept. */
    int64_t scored_windows;
    double scored_contents, scored_sum, scored_squares;
    char math[12];                      /* the type that the problem asks for: "f32" */
    struct aisp_device_activity *activity;
    size_t n_activities, cap_activities;
    struct aisp_device_stream *stream;
    size_t n_streams, cap_streams;
    struct aisp_device_context *context;
    size_t n_contexts, cap_contexts;
    struct aisp_device_graph *graph;
    size_t n_graphs, cap_graphs;
    struct aisp_device_window *window;
    size_t n_windows, cap_windows;
    struct aisp_device_policy *policy;
    size_t n_policies, cap_policies;
    int64_t n_kernels, n_kernels_idle;  /* of the modules that were loaded for the variant; those that never ran. 0: not known */
    int64_t n_dropped;                  /* what found no room, of all lists */
};

enum {
    AISP_DEVICE_MOST_ACTIVITIES = 8192,
    AISP_DEVICE_MOST_WINDOWS = 256,
    AISP_DEVICE_MOST_GRAPHS = 256,
    AISP_DEVICE_MOST_OTHERS = 128, /* streams, contexts, policies: of each */
};

/* Each adds one element, zeroed but for "nowhere" (-1) in places that are indices, or answers NULL and counts it as dropped. */
struct aisp_device_activity *aisp_device_add_activity(struct aisp_device_trace *trace);
struct aisp_device_stream *aisp_device_add_stream(struct aisp_device_trace *trace);
struct aisp_device_context *aisp_device_add_context(struct aisp_device_trace *trace);
struct aisp_device_graph *aisp_device_add_graph(struct aisp_device_trace *trace);
struct aisp_device_window *aisp_device_add_window(struct aisp_device_trace *trace);
struct aisp_device_policy *aisp_device_add_policy(struct aisp_device_trace *trace);
void aisp_device_trace_release(struct aisp_device_trace *trace);

/* Both sides, traces not taken as null. Errors of reading: AISP_E_IO with the field that is missing, of the wrong type or out
 * of range: activities point at windows that there are, and no list is longer than its bound. *trace is then empty. */
json_t *aisp_device_traces_to_json(const struct aisp_device_trace trace[2]);
enum aisp_status aisp_device_traces_from_json(const json_t *json, struct aisp_device_trace trace[2], struct aisp_err *err);

#endif
