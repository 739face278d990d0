/* record.h - what an audit session's recorder (recorder_cuda/) leaves in memory that it shares with the supervisor: plain records, as
 * they were seen, in the order in which they came. It is written inside the worker, hence never believed: trace_read.c bounds what
 * it reads there.
 * Not here: what the records mean together (trace.h, which makes a struct aisp_device_trace of them).
 * Why two lists: a call into the driver is seen on the host, in the thread that makes it, and says for which call of the variant it
 * was; what the device did comes later, in buffers of CUPTI's, and says when. The correlation number joins them. */
#ifndef AISP_CUDA_RECORD_H
#define AISP_CUDA_RECORD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RECORD_VERSION = 7,
    RECORD_MOST_FAR = 256,
    RECORD_MOST_CALLS = 8192,
    RECORD_MOST_ACTIVITIES = 8192,
    RECORD_MOST_STREAMS = 128,
    RECORD_MOST_CONTEXTS = 128,
    RECORD_MOST_GRAPHS = 256,
    RECORD_MOST_HITS = 32,
    RECORD_MOST_POLICIES = 128,
    RECORD_MOST_WINDOWS = 256,
    RECORD_MOST_PAIRS = 320,
    RECORD_MOST_CODES = 16384,
    RECORD_PLAIN_CODES = 12288, /* of them kernels that are known by their code alone: a library may bring thousands */
    RECORD_NAME = 64,
    RECORD_POLICY = 40
};

/* What a call did, or a record is of. The first ones are numbered as enum aisp_device_kind. */
enum record_what {
    RECORD_KERNEL,
    RECORD_COPY,
    RECORD_MEMSET,
    RECORD_SYNC,
    RECORD_CALLBACK,
    RECORD_ALLOC,
    RECORD_FREE,
    RECORD_COMPILE,
    RECORD_FAULT,
    RECORD_PREFETCH,
    RECORD_GRAPH,  /* a launch of one */
    RECORD_STREAM, /* a stream was made */
    RECORD_EVENT,  /* an event was recorded */
    RECORD_UPDATE, /* an instantiated graph was given other arguments */
    RECORD_WAIT,   /* a stream waits for an event; without one: for something that is not seen */
    RECORD_SEEN,   /* the host was told that an event or a stream has been reached */
    RECORD_N_WHAT
};

/* As enum aisp_device_memory. */
enum { RECORD_AT_UNKNOWN, RECORD_AT_DEVICE, RECORD_AT_PINNED, RECORD_AT_PAGEABLE, RECORD_AT_MANAGED, RECORD_AT_PEER };

/* Bits of `how`: those of AISP_HOW_ that a call or a record can tell, and our own. */
enum {
    RECORD_COOPERATIVE = 2,
    RECORD_FROM_DEVICE = 4,
    RECORD_PROGRAMMATIC = 8,
    RECORD_POOL = 32,
    RECORD_HARNESS = 256,     /* the worker's own call */
    RECORD_CAPTURED = 512,    /* it became a node of a graph: nothing was enqueued */
    RECORD_OTHER_THREAD = 1024, /* not from the worker's first thread */
    RECORD_FAILED = 2048,
    RECORD_UNREAD = 4096 /* a module was loaded whose code could not be read */
};

/* Host times are ns of CLOCK_MONOTONIC_RAW, which the supervisor has too. */
struct record_call {
    uint32_t correlation, inner; /* inner: of the driver's call inside of a call of the runtime; 0 */
    int32_t window, call, slot;  /* where the worker's first thread was then; -1 outside */
    uint32_t context, graph;     /* graph: of a launch of one, its id */
    uint32_t how;
    int64_t begin_ns, end_ns;
    uint64_t to, from, bytes;    /* of plain copies and allocations; else 0 */
    uint64_t event;              /* of what records an event or waits for one: its handle; else 0 */
    uint32_t stream;             /* of those, of waits and of launches of graphs: as in records of activities; 0: not known */
    uint8_t what, memory;
    int8_t phase;                /* enum aisp_phase */
    char name[RECORD_NAME + 5];  /* of the kernel, or of the function */
};

/* Device times are ns of CUPTI's clock; 0: none. */
struct record_activity {
    uint32_t correlation, how, device, context, stream;
    uint32_t graph; /* 0: of none */
    uint64_t start, end, bytes;
    int64_t n_blocks;
    int64_t n_threads, shared_bytes; /* of a block */
    uint64_t code; /* of a kernel: cuda_code_name() of its name (cubin.h); else 0 */
    uint8_t what, from, to;
    char name[RECORD_NAME + 5];
};

struct record_stream {
    uint32_t context, id, correlation;
    int32_t priority;
    uint32_t is_non_blocking;
};

struct record_context {
    uint32_t id, device, how;
    int32_t window, phase;
};

/* An instantiated graph. hit[]: addresses inside of the harness's tensors that are an argument or a source of some node. */
struct record_graph {
    uint32_t id, how;
    int32_t window, phase;
    int32_t n_kernels, n_copies, n_memsets, n_callbacks;
    uint32_t is_described, n_hits; /* is_described: the driver told all arguments */
    uint64_t hit[RECORD_MOST_HITS];
};

/* A kernel of a loaded module, and what its machine code says of it (cubin.h). */
struct record_code {
    uint64_t name, hash;
    char math[8];
    uint32_t is_sparse, launches;
};

/* What a library or the driver goes by, and how it stood: at first, and where it was another one than before. By the worker itself. */
struct record_policy {
    char name[RECORD_POLICY], value[RECORD_POLICY];
    int32_t phase, window; /* window: after which it stood so; -1: before all */
};

/* The worker's first thread inside the driver, by the variant's doing and by the harness's. */
struct record_window {
    int64_t api_ns, n_api, own_ns;
};

/* CUPTI's clock between two readings of the supervisor's. */
struct record_pair {
    int64_t before_ns, after_ns;
    uint64_t device;
};

/* Where the worker is; it alone writes here. */
struct record_position {
    int32_t phase, window, call, slot;
};

enum { RECORD_LOAD = 0, RECORD_SETUP = 1, RECORD_TIMED = 6, RECORD_TEARDOWN = 7 }; /* as enum aisp_phase */

enum record_state { RECORD_OFF, RECORD_ON, RECORD_REFUSED };

struct record_area {
    uint32_t version, state; /* enum record_state */
    uint32_t cupti_version;
    uint32_t n_flushes, is_complete; /* is_complete: unfinished records came too: there are no others */
    int64_t slack_ns;                /* of a window without calls, before anything of the variant was there: window - events */
    uint64_t pool_bytes;             /* reserved in the device's default memory pool when setup began */
    uint64_t workspace, workspace_bytes;
    uint64_t far[RECORD_MOST_FAR]; /* where the driver put the data of the device's buffers, by their number; 0: where it was asked to */
    char why[200];           /* it was refused */
    struct record_position at;
    /* How many there were; those beyond the room are lost. */
    uint32_t n_calls, n_activities, n_streams, n_contexts, n_graphs, n_pairs, n_codes;
    uint64_t n_lost;         /* by CUPTI itself */
    uint32_t n_policies;     /* no more are noted than there is room for */
    struct record_policy policy[RECORD_MOST_POLICIES];
    struct record_window window[RECORD_MOST_WINDOWS];
    struct record_pair pair[RECORD_MOST_PAIRS];
    struct record_stream stream[RECORD_MOST_STREAMS];
    struct record_context context[RECORD_MOST_CONTEXTS];
    struct record_graph graph[RECORD_MOST_GRAPHS];
    struct record_code code[RECORD_MOST_CODES];
    struct record_call call[RECORD_MOST_CALLS];
    struct record_activity activity[RECORD_MOST_ACTIVITIES];
};

/* ---- what the worker calls: the symbol aisp_recorder of libaisp-recorder.so ---- */

struct recorder_tensor { uint64_t address, bytes; };
struct recorder_start {
    struct record_area *area; /* zeroed */
    const struct recorder_tensor *tensor; /* borrowed for ever */
    int n_tensors;
};

/* All but own() by the worker's first thread. */
struct recorder {
    uint32_t version; /* RECORD_VERSION */
    /* After cuInit and before a context. False: area->why says what is missing. */
    bool (*start)(const struct recorder_start *start);
    /* This thread's calls are the harness's, from own(true) to own(false); they nest. */
    void (*own)(bool begins);
    /* What is done is written into the area. `all`: what is not done as well, which ends the recording. */
    void (*flush)(bool all);
};

#endif
