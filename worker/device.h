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
    bool is_entered;
    /* where windows are held */
    cu_function hold;
    cu_pointer go, beat, end; /* words of the pages down and up, as the device sees them */
};

/* Into up->text; false. */
bool worker_device_say(struct worker *w, const char *call, int error);

/* The harness's own calls lie between these: in its context, whichever one the variant has left current, which is current again
 * afterwards; and what is recorded does not take them for the variant's. An error of the driver: it is lost. */
int worker_device_enter(struct worker *w);
void worker_device_leave(struct worker *w);

/* Every call of the driver: name it if it fails, and leave. */
#define WORKER_TRY(name, call, ...)                             \
    do {                                                        \
        const int error_ = w->device->driver.call(__VA_ARGS__); \
        if (error_)                                             \
            return worker_device_say(w, name, error_);          \
    } while (0)

#endif
