/* conditions.c - in an audit session: under what conditions the variant begins, as this process's driver tells them. It is asked once
 * the variant is loaded, whose constructors have run by then, and before its setup.
 * Not here: what the device does (recorder.c). What is written is this process's own word, as all that a recorder writes. */
#include "backends/cuda/record.h"
#include "worker/device.h"

/* A fresh process has nothing in its pools: whoever finds memory there need not ask the driver for it in a timed call. */
static uint64_t pool_bytes(const struct cuda_driver *driver)
{
    uint64_t bytes = 0;
    cu_device device;
    cu_pool pool;

    if (driver->device_get(&device, 0) || driver->pool_default(&pool, device) || driver->pool_get(pool, CU_POOL_RESERVED, &bytes))
        return 0;
    return bytes;
}

void worker_conditions_at_start(struct worker *w)
{
    if (!w->record || !w->device)
        return;
    if (!worker_device_enter(w))
        w->record->pool_bytes = pool_bytes(&w->device->driver);
    worker_device_leave(w);
}
