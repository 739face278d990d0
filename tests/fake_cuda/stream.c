/* stream.c - streams whose work is done when it is queued, or when its turn comes (queue.c), and events with real times. */
#include "fake_cuda.h"

#include <string.h>
#include <time.h>

enum { MOST_STREAMS = 64, MOST_EVENTS = 4096, NO_TIMING = 2, NOT_YET = -1 };

struct cu_stream_s {
    bool is_live;
    cu_context context;
};
struct cu_event_s {
    bool is_live, is_timed;
    _Atomic int64_t ns; /* 0: not recorded yet, NOT_YET: its turn has not come */
};

static struct cu_stream_s stream_pool[MOST_STREAMS];
static struct cu_event_s event_pool[MOST_EVENTS];

/* NULL is the default stream; a handle that was never given out, or was destroyed, is none. */
bool fake_stream_is_live(cu_stream stream)
{
    return !stream ||
           (stream >= stream_pool && stream < stream_pool + MOST_STREAMS && stream->is_live);
}

cu_context fake_context_of(cu_stream stream)
{
    return stream ? stream->context : NULL;
}

static bool event_is_live(cu_event event)
{
    return event >= event_pool && event < event_pool + MOST_EVENTS && event->is_live;
}

static int begin_on(const char *call, cu_stream stream)
{
    const int error = fake_begin_in_context(call);

    return !error && !fake_stream_is_live(stream) ? CU_INVALID_HANDLE : error;
}

int fake_stream_create(cu_stream *stream, unsigned flags)
{
    const int error = fake_begin_in_context("cuStreamCreate");

    if (error)
        return error;
    if (flags > CU_STREAM_APART)
        return CU_INVALID_VALUE;
    for (int i = 0; i < MOST_STREAMS; i++)
        if (!stream_pool[i].is_live) {
            stream_pool[i] = (struct cu_stream_s){ true, fake_current() };
            *stream = &stream_pool[i];
            return CU_OK;
        }
    return CU_OUT_OF_MEMORY;
}

int fake_stream_destroy(cu_stream stream)
{
    const int error = begin_on("cuStreamDestroy_v2", stream);

    if (!error && !stream)
        return CU_INVALID_HANDLE;
    if (!error)
        stream->is_live = false;
    return error;
}

/* Like begin_on(), for work that this driver cannot queue: it waits for what is. */
static int begin_alone_on(const char *call, cu_stream stream)
{
    const int error = begin_on(call, stream);

    if (!error)
        fake_wait(stream);
    return error;
}

int fake_stream_synchronize(cu_stream stream)
{
    return begin_alone_on("cuStreamSynchronize", stream);
}

int fake_stream_query(cu_stream stream)
{
    const int error = begin_on("cuStreamQuery", stream);

    return !error && fake_is_pending(stream) ? CU_NOT_READY : error;
}

/* ---- a word of the stream's, and functions of the host ---- */

struct word {
    uint32_t *at, value;
};

static void write_word(void *what)
{
    const struct word *w = what;

    __atomic_store_n(w->at, w->value, __ATOMIC_RELEASE);
}

int fake_stream_write(cu_stream stream, cu_pointer at, uint32_t value, unsigned flags)
{
    const int error = begin_on("cuStreamWriteValue32_v2", stream);
    struct word w = { (uint32_t *)(uintptr_t)at, value };

    if (error)
        return error;
    if (flags || at % 4 || !fake_memory_holds(at, 4, true))
        return CU_INVALID_VALUE;
    if (!fake_queue(stream, write_word, &w, sizeof w))
        write_word(&w);
    return CU_OK;
}

struct host_work {
    void (*function)(void *);
    void *data;
};

static void call_host(void *what)
{
    const struct host_work *h = what;
    const struct timespec long_ns = { 0, fake_machine.later_ms * 1000000L };

    if (fake_machine.later_ms)
        nanosleep(&long_ns, NULL);
    h->function(h->data);
}

int fake_host_function(cu_stream stream, void (*function)(void *), void *data)
{
    const int error = begin_on("cuLaunchHostFunc", stream);
    struct host_work h = { function, data };

    if (error)
        return error;
    if (!function)
        return CU_INVALID_VALUE;
    if (fake_queue(stream, call_host, &h, sizeof h))
        return CU_OK;
    if (fake_machine.later_ms)
        fake_start_queue(stream, call_host, &h, sizeof h);
    else
        call_host(&h);
    return CU_OK;
}

int fake_event_create(cu_event *event, unsigned flags)
{
    const int error = fake_begin_in_context("cuEventCreate");

    if (error)
        return error;
    for (int i = 0; i < MOST_EVENTS; i++)
        if (!event_pool[i].is_live) {
            event_pool[i].is_live = true;
            event_pool[i].is_timed = !(flags & NO_TIMING);
            event_pool[i].ns = 0;
            *event = &event_pool[i];
            return CU_OK;
        }
    return CU_OUT_OF_MEMORY;
}

int fake_event_destroy(cu_event event)
{
    const int error = fake_begin_in_context("cuEventDestroy_v2");

    if (error)
        return error;
    if (!event_is_live(event))
        return CU_INVALID_HANDLE;
    event->is_live = false;
    return CU_OK;
}

static void stamp(void *what)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    (*(cu_event *)what)->ns = now.tv_sec * 1000000000LL + now.tv_nsec;
}

int fake_event_record(cu_event event, cu_stream stream)
{
    const int error = begin_on("cuEventRecord", stream);

    if (error)
        return error;
    if (!event_is_live(event))
        return CU_INVALID_HANDLE;
    event->ns = NOT_YET;
    if (!fake_queue(stream, stamp, &event, sizeof event))
        stamp(&event);
    return CU_OK;
}

int fake_event_synchronize(cu_event event)
{
    const int error = fake_begin_in_context("cuEventSynchronize");

    if (!error && event_is_live(event))
        fake_wait_for_all();
    return !error && !event_is_live(event) ? CU_INVALID_HANDLE : error;
}

int fake_event_elapsed(float *ms, cu_event start, cu_event end)
{
    const int error = fake_begin_in_context("cuEventElapsedTime");

    if (error)
        return error;
    if (!event_is_live(start) || !event_is_live(end) || !start->is_timed || !end->is_timed ||
        !start->ns || !end->ns)
        return CU_INVALID_HANDLE;
    if (start->ns == NOT_YET || end->ns == NOT_YET)
        return CU_NOT_READY;
    *ms = (float)((double)(end->ns - start->ns) / 1e6);
    return CU_OK;
}

int fake_copy_to_device(cu_pointer to, const void *from, size_t bytes, cu_stream stream)
{
    const int error = begin_alone_on("cuMemcpyHtoDAsync_v2", stream);

    if (error)
        return error;
    if (!fake_memory_holds(to, bytes, true))
        return CU_INVALID_VALUE;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return CU_OK;
}

int fake_copy_to_host(void *to, cu_pointer from, size_t bytes, cu_stream stream)
{
    const int error = begin_alone_on("cuMemcpyDtoHAsync_v2", stream);

    if (error)
        return error;
    if (!fake_memory_holds(from, bytes, false))
        return CU_INVALID_VALUE;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return CU_OK;
}

int fake_copy_on_device(cu_pointer to, cu_pointer from, size_t bytes, cu_stream stream)
{
    const int error = begin_alone_on("cuMemcpyDtoDAsync_v2", stream);

    if (error)
        return error;
    if (!fake_memory_holds(from, bytes, false) || !fake_memory_holds(to, bytes, true))
        return CU_INVALID_VALUE;
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return CU_OK;
}

int fake_set_bytes(cu_pointer to, unsigned char value, size_t n, cu_stream stream)
{
    const int error = begin_alone_on("cuMemsetD8Async", stream);

    if (error)
        return error;
    if (!fake_memory_holds(to, n, true))
        return CU_INVALID_VALUE;
    memset((void *)(uintptr_t)to, value, n);
    return CU_OK;
}

int fake_set_words(cu_pointer to, unsigned value, size_t n, cu_stream stream)
{
    const int error = begin_alone_on("cuMemsetD32Async", stream);
    uint32_t *word = (uint32_t *)(uintptr_t)to;

    if (error)
        return error;
    if (to % 4 || n > SIZE_MAX / 4 || !fake_memory_holds(to, n * 4, true))
        return CU_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        word[i] = value;
    return CU_OK;
}
