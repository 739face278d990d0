/* machine.c - memory and copies, of the host or of one CUDA device through its primary context (the one that variants get by the
 * runtime). Everything waits for its end: nobody is timed here. */
#include "plain/plain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ALIGN = 512 };

static enum aisp_status failed(const struct plain_machine *m, const char *call, int error, struct aisp_err *err)
{
    char text[200];

    cuda_driver_say(&m->driver, call, error, text);
    return aisp_fail(err, error == CU_OUT_OF_MEMORY ? AISP_E_NO_MEMORY : AISP_E_DEVICE, "%s", text);
}

/* In a function with `m`, `err`, `st` and a label `out`. */
#define DRIVER(field, name, ...)                             \
    do {                                                     \
        const int error = m->driver.field(__VA_ARGS__);      \
        if (error) {                                         \
            st = failed(m, name, error, err);                \
            goto out;                                        \
        }                                                    \
    } while (0)

static enum aisp_status open_device(struct plain_machine *m, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    cu_context context;
    int l2 = 0;
    size_t total;
    char why[200];

    if (!cuda_driver_open(&m->driver, NULL, why))
        return aisp_fail(err, AISP_E_UNAVAILABLE, "%s", why);
    DRIVER(device_get, "cuDeviceGet", &m->device, 0);
    DRIVER(device_name, "cuDeviceGetName", m->name, sizeof m->name, m->device);
    DRIVER(device_attribute, "cuDeviceGetAttribute", &l2, CU_ATTR_L2_BYTES, m->device);
    m->cache_bytes = l2;
    DRIVER(primary_retain, "cuDevicePrimaryCtxRetain", &context, m->device);
    m->is_cuda = true;
    DRIVER(context_set, "cuCtxSetCurrent", context);
    DRIVER(stream_create, "cuStreamCreate", &m->stream, CU_STREAM_APART);
    DRIVER(memory_info, "cuMemGetInfo", &m->free_bytes, &total);
out:
    return st;
}

enum aisp_status plain_machine_open(struct plain_machine *m, bool cuda, struct aisp_err *err)
{
    const long page = sysconf(_SC_PAGESIZE), pages = sysconf(_SC_AVPHYS_PAGES);

    memset(m, 0, sizeof *m);
    if (cuda)
        return open_device(m, err);
    strcpy(m->name, "this CPU");
    m->cache_bytes = sysconf(_SC_LEVEL3_CACHE_SIZE) > 0 ? sysconf(_SC_LEVEL3_CACHE_SIZE) : 32 << 20;
    m->free_bytes = (size_t)page * (size_t)pages;
    return AISP_OK;
}

void plain_machine_close(struct plain_machine *m)
{
    if (m->stream)
        m->driver.stream_destroy(m->stream);
    if (m->is_cuda)
        m->driver.primary_release(m->device);
    memset(m, 0, sizeof *m);
}

enum aisp_status plain_allocate(struct plain_machine *m, size_t bytes, enum plain_place place, struct plain_buffer *made,
                                struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    cu_pointer at;

    made->place = m->is_cuda ? place : PLAIN_PAGEABLE;
    if (made->place == PLAIN_DEVICE) {
        DRIVER(allocate, "cuMemAlloc", &at, bytes ? bytes : 1);
        made->at = (void *)(uintptr_t)at;
    } else if (made->place == PLAIN_PINNED) {
        DRIVER(host_allocate, "cuMemHostAlloc", &made->at, bytes ? bytes : 1, 0);
    } else {
        made->at = aligned_alloc(ALIGN, (bytes + ALIGN) / ALIGN * ALIGN);
        if (!made->at)
            return aisp_fail(err, AISP_E_NO_MEMORY, "no %zu bytes on the host", bytes);
    }
    made->bytes = bytes;
out:
    return st;
}

void plain_free(struct plain_machine *m, struct plain_buffer *buffer)
{
    if (!buffer->at)
        return;
    if (buffer->place == PLAIN_DEVICE)
        m->driver.release((cu_pointer)(uintptr_t)buffer->at);
    else if (buffer->place == PLAIN_PINNED)
        m->driver.host_release(buffer->at);
    else
        free(buffer->at);
    memset(buffer, 0, sizeof *buffer);
}

enum aisp_status plain_synchronize(struct plain_machine *m, const char *after, struct aisp_err *err)
{
    const int error = m->is_cuda ? m->driver.stream_synchronize(m->stream) : 0;
    char call[64];

    snprintf(call, sizeof call, "cuStreamSynchronize after %s", after);
    return error ? failed(m, call, error, err) : AISP_OK;
}

enum aisp_status plain_write(struct plain_machine *m, const struct plain_buffer *to, const void *from, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (to->place != PLAIN_DEVICE) {
        memcpy(to->at, from, to->bytes);
        return AISP_OK;
    }
    DRIVER(copy_to_device, "cuMemcpyHtoDAsync", (cu_pointer)(uintptr_t)to->at, from, to->bytes, m->stream);
    AISP_TRY(plain_synchronize(m, "a copy to the device", err));
out:
    return st;
}

enum aisp_status plain_read(struct plain_machine *m, const struct plain_buffer *from, size_t at, size_t bytes, void *to,
                            struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (from->place != PLAIN_DEVICE) {
        memcpy(to, (const char *)from->at + at, bytes);
        return AISP_OK;
    }
    DRIVER(copy_to_host, "cuMemcpyDtoHAsync", to, (cu_pointer)(uintptr_t)from->at + at, bytes, m->stream);
    AISP_TRY(plain_synchronize(m, "a copy to the host", err));
out:
    return st;
}
