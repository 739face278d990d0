/* names.c - which calls into the driver and the runtime are noted. By name and not by number: a number stands for one version of
 * one function, and both libraries have the same functions under cu... and cuda... */
#include <string.h>

#include "recorder_cuda/inside.h"

/* The first that the rest of a name begins with. */
static const struct {
    const char *begins;
    struct recorder_kind kind;
} table[] = {
    { "LaunchCooperativeKernel", { RECORD_KERNEL, RECORD_COOPERATIVE } },
    { "LaunchKernelEx", { RECORD_KERNEL, .is_extended = true } },
    { "LaunchHostFunc", { RECORD_CALLBACK } },
    { "StreamAddCallback", { RECORD_CALLBACK } },
    { "Launch", { RECORD_KERNEL } },
    { "GraphLaunch", { RECORD_GRAPH, .stream = 2 } },
    { "GraphExecUpdate", { RECORD_UPDATE } },
    { "GraphExecKernelNodeSetParams", { RECORD_UPDATE } },
    { "GraphExecMemcpyNodeSetParams", { RECORD_UPDATE } },
    { "GraphExecChildGraphNodeSetParams", { RECORD_UPDATE } },
    { "GraphExecNodeSetParams", { RECORD_UPDATE } },
    { "GraphInstantiate", { -1, .is_instantiation = true } },
    { "Memcpy2D", { RECORD_COPY } },
    { "Memcpy3D", { RECORD_COPY } },
    { "MemcpyPeer", { RECORD_COPY } },
    { "MemcpyTo", { RECORD_COPY } },
    { "MemcpyFrom", { RECORD_COPY } },
    { "MemcpyBatch", { RECORD_COPY } },
    { "MemcpyArray", { RECORD_COPY } },
    { "MemcpyAto", { RECORD_COPY } },
    { "MemcpyDtoA", { RECORD_COPY } },
    { "MemcpyHtoA", { RECORD_COPY } },
    { "Memcpy", { RECORD_COPY, .is_plain = true } },
    { "Memset", { RECORD_MEMSET } },
    { "MemPrefetch", { RECORD_PREFETCH } },
    { "DeviceSynchronize", { RECORD_SYNC } },
    { "ThreadSynchronize", { RECORD_SYNC } },
    { "CtxSynchronize", { RECORD_SYNC } },
    { "StreamSynchronize", { RECORD_SYNC, .stream = 1 } },
    { "EventSynchronize", { RECORD_SYNC, .event = 1 } },
    { "MallocManaged", { RECORD_ALLOC, .memory = RECORD_AT_MANAGED, .is_plain = true } },
    { "MemAllocManaged", { RECORD_ALLOC, .memory = RECORD_AT_MANAGED, .is_plain = true } },
    { "MallocAsync", { RECORD_ALLOC, RECORD_POOL, RECORD_AT_DEVICE, .is_plain = true } },
    { "MallocFromPool", { RECORD_ALLOC, RECORD_POOL, RECORD_AT_DEVICE, .is_plain = true } },
    { "MemAllocAsync", { RECORD_ALLOC, RECORD_POOL, RECORD_AT_DEVICE, .is_plain = true } },
    { "MemAllocFromPool", { RECORD_ALLOC, RECORD_POOL, RECORD_AT_DEVICE, .is_plain = true } },
    { "MallocHost", { RECORD_ALLOC, .memory = RECORD_AT_PINNED, .is_plain = true } },
    { "HostAlloc", { RECORD_ALLOC, .memory = RECORD_AT_PINNED, .is_plain = true } },
    { "MemHostAlloc", { RECORD_ALLOC, .memory = RECORD_AT_PINNED, .is_plain = true } },
    { "MemAllocHost", { RECORD_ALLOC, .memory = RECORD_AT_PINNED, .is_plain = true } },
    { "MallocPitch", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE } },
    { "MemAllocPitch", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE } },
    { "Malloc3D", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE } },
    { "MallocArray", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE } },
    { "MallocMipmapped", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE } },
    { "Malloc", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE, .is_plain = true } },
    { "MemAlloc", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE, .is_plain = true } },
    { "MemCreate", { RECORD_ALLOC, .memory = RECORD_AT_DEVICE, .is_plain = true } },
    { "FreeAsync", { RECORD_FREE, RECORD_POOL } },
    { "MemFreeAsync", { RECORD_FREE, RECORD_POOL } },
    { "Free", { RECORD_FREE } },
    { "MemFree", { RECORD_FREE } },
    { "MemRelease", { RECORD_FREE } },
    { "StreamCreate", { RECORD_STREAM } },
    { "EventRecord", { RECORD_EVENT, .event = 1, .stream = 2 } },
    { "StreamWaitEvent", { RECORD_WAIT, .stream = 1, .event = 2 } },
    { "StreamQuery", { RECORD_SEEN, .stream = 1 } },
    { "EventQuery", { RECORD_SEEN, .event = 1 } },
    { "StreamWaitValue", { RECORD_WAIT, .stream = 1 } },
    { "StreamBatchMemOp", { RECORD_WAIT, .stream = 1 } },
    { "ModuleLoad", { RECORD_COMPILE } },
    { "LibraryLoad", { RECORD_COMPILE } },
    { "LinkComplete", { RECORD_COMPILE } },
};

struct recorder_kind recorder_kind_of(const char *function)
{
    const char *rest = function ? function : "";

    rest += !strncmp(rest, "cuda", 4) ? 4 : !strncmp(rest, "cu", 2) ? 2 : 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strncmp(rest, table[i].begins, strlen(table[i].begins)))
            return table[i].kind;
    return (struct recorder_kind){ .what = -1 };
}
