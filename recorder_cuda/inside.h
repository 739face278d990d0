/* inside.h - the parts of libaisp-recorder.so:
 *   recorder.c   opens CUPTI, starts it, flushes it; pairs of clock readings
 *   calls.c      what CUPTI calls back: calls into the driver and the runtime, contexts, modules
 *   names.c      which calls are noted, by their names
 *   graphs.c     the nodes of a graph that was instantiated
 *   activity.c   CUPTI's buffers, record by record
 * All of it runs inside the worker, beside a variant that could undo it: what it writes is evidence against who is careless, and
 * that it still writes is what the supervisor checks first. */
#ifndef AISP_RECORDER_INSIDE_H
#define AISP_RECORDER_INSIDE_H

#include <cuda.h>
#include <cupti.h>

#include "backends/cuda/cubin.h"
#include "backends/cuda/record.h"

/* CUPTI's functions, with the prototypes of its headers. */
#define CUPTI_CALLS(X)                                                                                                \
    X(cuptiGetVersion)                                                                                                \
    X(cuptiGetResultString)                                                                                           \
    X(cuptiSubscribe)                                                                                                 \
    X(cuptiEnableDomain)                                                                                              \
    X(cuptiEnableCallback)                                                                                            \
    X(cuptiGetTimestamp)                                                                                              \
    X(cuptiGetContextId)                                                                                              \
    X(cuptiGetDeviceId)                                                                                               \
    X(cuptiGetGraphExecId)                                                                                            \
    X(cuptiGetStreamIdEx)                                                                                             \
    X(cuptiActivityEnable)                                                                                            \
    X(cuptiActivityEnableDeviceGraph)                                                                                 \
    X(cuptiActivityEnableCudaEventDeviceTimestamps)                                                                   \
    X(cuptiActivityConfigureUnifiedMemoryCounter)                                                                     \
    X(cuptiActivityRegisterCallbacks)                                                                                 \
    X(cuptiActivityGetNextRecord)                                                                                     \
    X(cuptiActivityGetNumDroppedRecords)                                                                              \
    X(cuptiActivityFlushAll)

struct cupti {
#define CUPTI_FIELD(name) __typeof__(name) *name;
    CUPTI_CALLS(CUPTI_FIELD)
#undef CUPTI_FIELD
};

struct recorder_session {
    struct record_area *area; /* NULL: not started */
    const struct recorder_tensor *tensor;
    int n_tensors;
    struct cupti cupti;
};
extern struct recorder_session session;

/* Each takes the next place of a list in the area; NULL: it is full, and counted all the same. */
struct record_call *recorder_call(void);
struct record_activity *recorder_activity(void);
struct record_stream *recorder_stream(void);
struct record_context *recorder_context(void);
struct record_graph *recorder_graph(void);
struct record_code *recorder_code(void);
int64_t recorder_now_ns(void);
void recorder_copy_name(char to[RECORD_NAME], const char *name);

/* calls.c: what start() gives to CUPTI. */
void CUPTIAPI recorder_on_callback(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data);
void recorder_own(bool begins);
void recorder_be_first(void); /* this thread is the worker's first */

/* names.c. what < 0: nothing that is noted. is_plain: its first arguments are to, from and bytes. */
struct recorder_kind {
    int what;
    uint32_t how;
    uint8_t memory;
    bool is_plain, is_instantiation, is_extended; /* is_extended: a launch with attributes */
    int8_t stream, event; /* which argument says it, from 1; 0: none */
};
struct recorder_kind recorder_kind_of(const char *function);

/* graphs.c */
void recorder_describe_graph(struct record_graph *to, CUgraph graph);

/* activity.c */
void CUPTIAPI recorder_give_buffer(uint8_t **buffer, size_t *bytes, size_t *most_records);
void CUPTIAPI recorder_take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t n_valid);

#endif
