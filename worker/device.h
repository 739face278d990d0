/* device.h - a worker's device, for the files that make calls into its driver: device.c and held.c. */
#ifndef AISP_WORKER_DEVICE_H
#define AISP_WORKER_DEVICE_H

#include "backends/cuda/driver.h"
#include "worker/worker.h"

struct worker_device {
    struct cuda_driver driver;
    cu_context context;
    cu_stream stream;
    cu_event start, stop;
    cu_pointer touched; /* four bytes of the harness's own */
    /* where windows are held */
    cu_function hold;
    cu_pointer go, beat, end; /* words of the pages down and up, as the device sees them */
};

/* Into up->text; false. */
bool worker_device_say(struct worker *w, const char *call, int error);

/* Every call of the driver: name it if it fails, and leave. */
#define WORKER_TRY(name, call, ...)                             \
    do {                                                        \
        const int error_ = w->device->driver.call(__VA_ARGS__); \
        if (error_)                                             \
            return worker_device_say(w, name, error_);          \
    } while (0)

#endif
