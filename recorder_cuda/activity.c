/* activity.c - CUPTI's buffers: it asks for one when it has something to write, and hands it back full or when it is flushed. */
#include <stdlib.h>

#include "recorder_cuda/inside.h"

enum { BUFFER_BYTES = 1 << 20 };

void CUPTIAPI recorder_give_buffer(uint8_t **buffer, size_t *bytes, size_t *most_records)
{
    *buffer = aligned_alloc(64, BUFFER_BYTES);
    *bytes = *buffer ? BUFFER_BYTES : 0;
    *most_records = 0;
}

static uint8_t memory_of(uint8_t kind)
{
    switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
        return RECORD_AT_PAGEABLE;
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
        return RECORD_AT_PINNED;
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
        return RECORD_AT_DEVICE;
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
        return RECORD_AT_MANAGED;
    }
    return RECORD_AT_UNKNOWN;
}

static void take_kernel(const CUpti_ActivityKernel10 *k)
{
    struct record_activity *to = recorder_activity();

    if (!to)
        return;
    *to = (struct record_activity){
        .what = RECORD_KERNEL,
        .correlation = k->correlationId,
        .how = (k->isDeviceLaunched ? RECORD_FROM_DEVICE : 0u) |
               (k->launchType == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE ||
                        k->launchType == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE
                    ? RECORD_COOPERATIVE
                    : 0u),
        .device = k->deviceId,
        .context = k->contextId,
        .stream = k->streamId,
        .graph = k->graphId,
        .start = k->start,
        .end = k->end,
        .n_blocks = (int64_t)k->gridX * k->gridY * k->gridZ,
        .n_threads = (int64_t)k->blockX * k->blockY * k->blockZ,
        .shared_bytes = (int64_t)k->staticSharedMemory + k->dynamicSharedMemory,
        .code = k->name ? cuda_code_name(k->name) : 0,
    };
    recorder_copy_name(to->name, k->name);
}

static void take_copy(const CUpti_ActivityMemcpy6 *c)
{
    struct record_activity *to = recorder_activity();

    if (!to)
        return;
    *to = (struct record_activity){
        .what = RECORD_COPY,
        .correlation = c->correlationId,
        .how = c->isDeviceLaunched ? RECORD_FROM_DEVICE : 0u,
        .device = c->deviceId,
        .context = c->contextId,
        .stream = c->streamId,
        .graph = c->graphId,
        .start = c->start,
        .end = c->end,
        .bytes = c->bytes,
        .from = memory_of(c->srcKind),
        .to = memory_of(c->dstKind),
    };
    recorder_copy_name(to->name, "copy");
}

static void take_peer_copy(const CUpti_ActivityMemcpyPtoP4 *c)
{
    struct record_activity *to = recorder_activity();

    if (!to)
        return;
    *to = (struct record_activity){
        .what = RECORD_COPY,
        .correlation = c->correlationId,
        .device = c->deviceId,
        .context = c->contextId,
        .stream = c->streamId,
        .graph = c->graphId,
        .start = c->start,
        .end = c->end,
        .bytes = c->bytes,
        .from = c->srcDeviceId == c->deviceId ? RECORD_AT_DEVICE : RECORD_AT_PEER,
        .to = c->dstDeviceId == c->deviceId ? RECORD_AT_DEVICE : RECORD_AT_PEER,
    };
    recorder_copy_name(to->name, "copy");
}

static void take_memset(const CUpti_ActivityMemset4 *m)
{
    struct record_activity *to = recorder_activity();

    if (!to)
        return;
    *to = (struct record_activity){
        .what = RECORD_MEMSET,
        .correlation = m->correlationId,
        .how = m->isDeviceLaunched ? RECORD_FROM_DEVICE : 0u,
        .device = m->deviceId,
        .context = m->contextId,
        .stream = m->streamId,
        .graph = m->graphId,
        .start = m->start,
        .end = m->end,
        .bytes = m->bytes,
        .to = memory_of((uint8_t)m->memoryKind),
    };
    recorder_copy_name(to->name, "memset");
}

static void take_fault(const CUpti_ActivityUnifiedMemoryCounter3 *u)
{
    const bool is_cpu = u->counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT;
    struct record_activity *to;

    if (!is_cpu && u->counterKind != CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT)
        return;
    to = recorder_activity();
    if (!to)
        return;
    *to = (struct record_activity){
        .what = RECORD_FAULT,
        .device = is_cpu ? 0 : u->srcId,
        .start = u->start,
        .end = u->end ? u->end : u->start,
        .to = RECORD_AT_MANAGED,
    };
    recorder_copy_name(to->name, is_cpu ? "page fault of the host" : "page faults of the device");
}

static void take_event(const CUpti_ActivityCudaEvent2 *e)
{
    struct record_activity *to = e->deviceTimestamp ? recorder_activity() : NULL;

    if (!to)
        return;
    *to = (struct record_activity){
        .what = RECORD_EVENT,
        .correlation = e->correlationId,
        .device = e->deviceId,
        .context = e->contextId,
        .stream = e->streamId,
        .start = e->deviceTimestamp,
        .end = e->deviceTimestamp,
    };
}

static void take_stream(const CUpti_ActivityStream *s)
{
    struct record_stream *to = recorder_stream();

    if (to)
        *to = (struct record_stream){
            .context = s->contextId,
            .id = s->streamId,
            .correlation = s->correlationId,
            .priority = (int32_t)s->priority,
            .is_non_blocking = s->flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING,
        };
}

static void take(const CUpti_Activity *record)
{
    const void *r = record;

    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        take_kernel(r);
        return;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        take_copy(r);
        return;
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
        take_peer_copy(r);
        return;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        take_memset(r);
        return;
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
        take_fault(r);
        return;
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
        take_event(r);
        return;
    case CUPTI_ACTIVITY_KIND_STREAM:
        take_stream(r);
        return;
    default:
        return;
    }
}

void CUPTIAPI recorder_take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t n_valid)
{
    CUpti_Activity *record = NULL;

    (void)context;
    (void)stream;
    (void)bytes;
    while (session.cupti.cuptiActivityGetNextRecord(buffer, n_valid, &record) == CUPTI_SUCCESS)
        take(record);
    free(buffer);
}
