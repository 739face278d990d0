/* held.c - a window that begins and ends on the device. The calls are queued on the one stream behind a kernel that waits for the
 * supervisor's word (hold.cu), and behind them the stream itself writes that it has come to its end. So neither how quickly this
 * process launches nor how quickly it wakes is in the window; and what the calls are to compute is not there yet while they are
 * queued. While contents are made this thread sleeps, as between windows: what it uses meanwhile is accounted. It is woken
 * shortly before go, so that it is there when the device is done. */
#include <stdio.h>

#include "backends/cuda/hold.h"
#include "worker/device.h"

extern const char worker_hold_image[];
extern const bool worker_has_hold_image;

/* A page that the supervisor shares, for the device as well. */
static bool share_page(struct worker *w, const void *page, size_t bytes, unsigned flags, cu_pointer *at)
{
    enum { PAGE = 4096 };
    void *host = (void *)(uintptr_t)page;

    WORKER_TRY("cuMemHostRegister", host_register, host, (bytes + PAGE - 1) & ~(size_t)(PAGE - 1), flags | CU_HOST_ON_DEVICE);
    WORKER_TRY("cuMemHostGetDevicePointer", host_device_pointer, at, host, 0);
    return true;
}

bool worker_held_open(struct worker *w)
{
    struct worker_device *d = w->device;
    cu_pointer up, down;
    cu_module module;
    const int error = d->driver.module_load(&module, worker_hold_image);

    if (error && !worker_has_hold_image) {
        snprintf(w->up->text, sizeof w->up->text, "aisp was built without nvcc: there is no kernel that holds a stream");
        return false;
    }
    if (error)
        return worker_device_say(w, "cuModuleLoadData", error);
    WORKER_TRY("cuModuleGetFunction", module_function, &d->hold, module, CUDA_HOLD_KERNEL);
    if (!share_page(w, w->up, sizeof *w->up, 0, &up) || !share_page(w, w->down, sizeof *w->down, CU_HOST_READ_ONLY, &down))
        return false;
    d->go = down + offsetof(struct aisp_down, go_seq);
    d->beat = up + offsetof(struct aisp_up, beat);
    d->end = up + offsetof(struct aisp_up, end_seq);
    return true;
}

static bool launch_hold(struct worker *w, uint32_t seq)
{
    struct worker_device *d = w->device;
    struct cuda_hold argument = { d->go, d->beat, (uint64_t)w->spec->hold_ns, seq };
    void *arguments[] = { &argument };

    WORKER_TRY("cuLaunchKernel", launch, d->hold, 1, 1, 1, 1, 1, 1, 0, d->stream, arguments, NULL);
    return true;
}

static bool write_end(struct worker *w, uint32_t seq)
{
    WORKER_TRY("cuStreamWriteValue32", stream_write, w->device->stream, w->device->end, seq, 0);
    return true;
}

static bool queue(struct worker *w, bool (*what)(struct worker *w, uint32_t seq), uint32_t seq)
{
    bool ok;

    worker_device_enter(w);
    ok = what(w, seq);
    worker_device_leave(w);
    return ok;
}

/* A call that waits for the device inside run() does not come back before go: the supervisor gives it up and goes on without
 * it. */
enum aisp_status worker_held_calls(struct worker *w, uint32_t seq)
{
    enum aisp_status st, end;

    if (!queue(w, launch_hold, seq))
        return AISP_E_DEVICE; /* nothing waits, and so it is said at once */
    worker_device_mark(w, false);
    st = worker_calls(w);
    if (!queue(w, write_end, seq))
        st = AISP_E_DEVICE;
    worker_device_mark(w, true); /* behind the end: what an event costs is in nobody's time */
    worker_answer(&w->up->ready_seq, seq, true);
    worker_wait(&w->down->near_seq, seq);
    worker_answer(&w->up->awake_seq, seq, true);
    while (__atomic_load_n(&w->down->go_seq, __ATOMIC_ACQUIRE) != seq)
        __builtin_ia32_pause();
    end = worker_device_settle(w);
    return st ? st : end;
}
