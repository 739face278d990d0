/* device.c - a worker's device: an NVIDIA card. Before anything of the variant is there, the driver is opened, the device's memory
 * that the judge made is mapped where the spec says (inputs read-only), and the one stream is made that calls may use.
 * Not here: windows that begin and end on the device (held.c). Times between events on that stream are this process's own word:
 * the supervisor's window is what counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "worker/device.h"

bool worker_device_say(struct worker *w, const char *call, int error)
{
    char text[200];

    cuda_driver_say(&w->device->driver, call, error, text);
    snprintf(w->up->text, sizeof w->up->text, "%s", text);
    return false;
}

int worker_device_enter(struct worker *w)
{
    int error;

    worker_recorder_own(w, true);
    error = w->device->driver.context_push(w->device->context);
    w->device->is_entered = !error;
    return error;
}

void worker_device_leave(struct worker *w)
{
    cu_context ours;

    if (w->device->is_entered)
        w->device->driver.context_pop(&ours);
    worker_recorder_own(w, false);
}

static bool open_context(struct worker *w)
{
    struct worker_device *d = w->device;
    const char *library = w->spec->driver_at ? (const char *)w->spec + w->spec->driver_at : NULL;
    cu_device device;
    char why[200];

    if (!cuda_driver_open(&d->driver, library, why)) {
        snprintf(w->up->text, sizeof w->up->text, "%s", why);
        return false;
    }
    worker_recorder_start(w);
    worker_recorder_own(w, true);
    WORKER_TRY("cuDeviceGet", device_get, &device, 0);
    WORKER_TRY("cuDevicePrimaryCtxSetFlags", primary_flags, device, CU_CTX_SPIN);
    WORKER_TRY("cuDevicePrimaryCtxRetain", primary_retain, &d->context, device);
    WORKER_TRY("cuCtxSetCurrent", context_set, d->context);
    WORKER_TRY("cuStreamCreate", stream_create, &d->stream, CU_STREAM_APART);
    WORKER_TRY("cuEventCreate", event_create, &d->start, 0);
    WORKER_TRY("cuEventCreate", event_create, &d->stop, 0);
    WORKER_TRY("cuMemAlloc", allocate, &d->touched, 4);
    return true;
}

/* The wished address is the other side's too. Where the driver gives another one the data are right all the same, and it is said. */
static bool map_far(struct worker *w, int i)
{
    const struct aisp_area *a = &w->area[i];
    const bool is_written = a->is_output || w->spec->flags & AISP_SPEC_WRITABLE_INPUTS;
    const struct cu_access access = { { CU_ON_DEVICE, 0 }, is_written ? CU_READ_WRITE : CU_READ };
    const int fd = AISP_FD_FAR + (int)a->file_offset;
    cu_allocation memory;
    cu_pointer at = 0;

    WORKER_TRY("cuMemImportFromShareableHandle", memory_import, &memory, (void *)(intptr_t)fd, CU_FD);
    WORKER_TRY("cuMemAddressReserve", address_reserve, &at, a->map_bytes, 0, a->map_address, 0);
    WORKER_TRY("cuMemMap", memory_map, at, a->map_bytes, 0, memory, 0);
    WORKER_TRY("cuMemSetAccess", memory_access, at, a->map_bytes, &access, 1);
    WORKER_TRY("cuMemRelease", memory_release, memory);
    close(fd);
    w->slot[0][i] = (void *)(at + (a->data_address - a->map_address));
    if (at != a->map_address) {
        w->device_missing |= AISP_CAGE_ADDRESS;
        worker_recorder_moved(w, i, (uint64_t)w->slot[0][i]);
    }
    return true;
}

/* A weight has its memory with slot 0. */
static void share_weights(struct worker *w)
{
    int n = 0;

    for (int t = 0; t < w->spec->n_tensors; t++)
        if (w->spec->role[t] == AISP_WEIGHT) {
            for (int s = 1; s < w->spec->n_slots; s++)
                w->slot[s][t] = w->slot[0][t];
            w->weight[n++] = w->slot[0][t];
        }
}

bool worker_device_open(struct worker *w)
{
    const int n = w->spec->n_slots * w->spec->n_tensors;

    w->device = calloc(1, sizeof *w->device);
    if (!w->device || !open_context(w))
        return false;
    for (int i = 0; i < n; i++) {
        const struct aisp_area *a = &w->area[i];

        if (!a->map_bytes)
            continue;
        if (a->kind == AISP_AREA_FAR && !map_far(w, i))
            return false;
        if (a->is_pinned)
            WORKER_TRY("cuMemHostRegister", host_register, (void *)a->map_address, a->map_bytes,
                a->is_output ? 0 : CU_HOST_READ_ONLY);
    }
    share_weights(w);
    if (w->spec->flags & AISP_SPEC_HELD && !worker_held_open(w))
        return false;
    worker_recorder_calibrate(w);
    worker_recorder_own(w, false);
    return true;
}

void *worker_device_stream(const struct worker *w)
{
    return w->device ? w->device->stream : NULL;
}

void *worker_device_allocate(struct worker *w, size_t bytes)
{
    cu_pointer at = 0;
    int error;

    worker_device_enter(w);
    error = w->device->driver.allocate(&at, bytes);
    worker_device_leave(w);
    return error ? NULL : (void *)at;
}

/* Whatever was enqueued on the given stream, then on any of its context, and how it ended. */
enum aisp_status worker_device_settle(struct worker *w)
{
    const char *call = "cuCtxPushCurrent";
    int error;

    error = worker_device_enter(w);
    if (!error) {
        call = "cuStreamSynchronize";
        error = w->device->driver.stream_synchronize(w->device->stream);
    }
    if (!error) {
        call = "cuCtxSynchronize";
        error = w->device->driver.context_synchronize();
    }
    worker_device_leave(w);
    if (!error)
        return AISP_OK;
    worker_device_say(w, call, error);
    return error == CU_OUT_OF_MEMORY ? AISP_E_NO_MEMORY : AISP_E_DEVICE;
}

/* The judge worked on the card since the last window, and the card's turn to another process costs 150 us: it is taken before go. */
void worker_device_wake(struct worker *w)
{
    worker_device_enter(w);
    w->device->driver.set_words(w->device->touched, 0, 1, w->device->stream);
    w->device->driver.stream_synchronize(w->device->stream);
    worker_device_leave(w);
}

/* Some work of the harness's own on the device, for who records it. */
void worker_device_sample(struct worker *w)
{
    enum { SAMPLE_BYTES = 4096 };
    struct worker_device *d = w->device;
    cu_pointer at = 0;

    if (d->driver.allocate(&at, SAMPLE_BYTES))
        return;
    d->driver.set_bytes(at, 0, SAMPLE_BYTES, d->stream);
    d->driver.context_synchronize();
    d->driver.release(at);
}

/* Bytes that are a large number of any floating-point type. */
enum aisp_status worker_device_poison(struct worker *w)
{
    enum { WILD = 0x5b };
    const size_t bytes = w->workspace && w->variant->workspace_bytes ? w->variant->workspace_bytes(w->spec->param) : 0;
    int error = 0;

    if (!w->device || !bytes)
        return AISP_OK;
    worker_device_enter(w);
    error = w->device->driver.set_bytes((cu_pointer)w->workspace, WILD, bytes, w->device->stream);
    error = error ? error : w->device->driver.stream_synchronize(w->device->stream);
    worker_device_leave(w);
    return error ? AISP_E_DEVICE : AISP_OK;
}

void worker_device_mark(struct worker *w, bool is_stop)
{
    worker_device_enter(w);
    w->device->driver.event_record(is_stop ? w->device->stop : w->device->start, w->device->stream);
    worker_device_leave(w);
}

int64_t worker_device_between_marks(struct worker *w)
{
    float ms = 0;
    int error;

    worker_device_enter(w);
    error = w->device->driver.event_elapsed(&ms, w->device->start, w->device->stop);
    worker_device_leave(w);
    return error ? 0 : (int64_t)((double)ms * 1e6);
}
