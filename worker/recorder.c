/* recorder.c - in an audit session: load the library that notes what the device does (recorder_cuda/), tell it which calls into the
 * driver are the harness's, and note in the memory that it shares with the supervisor which call of the variant is under way.
 * Not here: what is noted. That nothing could be is no error: the area says why, and the session goes on as any other. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "backends/cuda/record.h"
#include "worker/worker.h"

struct worker_recorder {
    const struct recorder *library;
    struct record_area *area;
    struct recorder_tensor *tensor;
    int32_t n_windows;
};

static void refuse(struct worker *w, struct record_area *area, const char *why)
{
    snprintf(area->why, sizeof area->why, "%s", why ? why : "unknown error of the dynamic linker");
    area->state = RECORD_REFUSED;
    w->device_missing |= AISP_CAGE_RECORDER;
}

static struct recorder_tensor *tensors_of(const struct worker *w, int n)
{
    struct recorder_tensor *tensor = calloc((size_t)n + 1, sizeof *tensor);

    for (int i = 0; tensor && i < n; i++)
        tensor[i] = (struct recorder_tensor){ w->area[i].data_address, w->area[i].data_bytes };
    return tensor;
}

void worker_recorder_load(struct worker *w)
{
    const struct aisp_spec *spec = w->spec;
    static struct worker_recorder r;
    void *handle;

    if (!(spec->flags & AISP_SPEC_AUDIT) || spec->record_bytes < sizeof *r.area)
        return;
    r.area = mmap((void *)spec->record_address, spec->record_bytes, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_POPULATE, AISP_FD_OUT, (off_t)spec->record_offset);
    if (r.area == MAP_FAILED) {
        w->device_missing |= AISP_CAGE_RECORDER;
        return;
    }
    w->record = r.area;
    handle = dlopen((const char *)spec + spec->recorder_at, RTLD_NOW | RTLD_LOCAL);
    r.library = handle ? dlsym(handle, "aisp_recorder") : NULL;
    if (!r.library) {
        refuse(w, r.area, dlerror());
        return;
    }
    if (r.library->version != RECORD_VERSION) {
        refuse(w, r.area, "the recorder was built for another version of record.h");
        return;
    }
    w->recorder = &r;
}

void worker_recorder_start(struct worker *w)
{
    struct worker_recorder *r = w->recorder;
    const int n = w->spec->n_slots * w->spec->n_tensors;
    struct recorder_start start;

    if (!r)
        return;
    r->tensor = tensors_of(w, n);
    start = (struct recorder_start){ .area = r->area, .tensor = r->tensor, .n_tensors = r->tensor ? n : 0 };
    r->area->at = (struct record_position){ RECORD_LOAD, -1, -1, -1 };
    if (r->library->start(&start))
        return;
    w->recorder = NULL;
    w->device_missing |= AISP_CAGE_RECORDER;
}

void worker_recorder_moved(struct worker *w, int tensor, uint64_t to)
{
    const struct aisp_area *a = &w->area[tensor];

    if (!w->recorder || !w->recorder->tensor)
        return;
    w->recorder->tensor[tensor] = (struct recorder_tensor){ to, a->data_bytes };
    if (a->file_offset < RECORD_MOST_FAR)
        w->recorder->area->far[a->file_offset] = to;
}

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What a window without a call takes beyond the time between its events, before anything of the variant is there; and whatever
 * threads CUPTI needs are started by it. */
void worker_recorder_calibrate(struct worker *w)
{
    enum { ROUNDS = 9 };
    int64_t least_ns = INT64_MAX;

    if (!w->recorder)
        return;
    for (int i = 0; i < ROUNDS; i++) {
        const int64_t begin_ns = now_ns();
        int64_t slack_ns;

        worker_device_mark(w, false);
        worker_device_mark(w, true);
        worker_device_settle(w);
        slack_ns = now_ns() - begin_ns - worker_device_between_marks(w);
        least_ns = slack_ns < least_ns ? slack_ns : least_ns;
    }
    w->recorder->area->slack_ns = least_ns;
    worker_device_sample(w);
    w->recorder->library->flush(false);
}

void worker_recorder_own(const struct worker *w, bool begins)
{
    if (w->recorder)
        w->recorder->library->own(begins);
}

void worker_recorder_phase(const struct worker *w, uint32_t command, bool begins)
{
    if (!w->recorder)
        return;
    w->recorder->area->at.phase = command == AISP_COMMAND_LEAVE              ? RECORD_TEARDOWN
                                  : command == AISP_COMMAND_SETUP && begins ? RECORD_SETUP
                                                                             : RECORD_TIMED;
    w->recorder->area->workspace = (uint64_t)(uintptr_t)w->workspace;
    w->recorder->area->workspace_bytes =
        w->variant && w->variant->workspace_bytes ? w->variant->workspace_bytes(w->spec->param) : 0;
}

void worker_recorder_window(const struct worker *w, bool begins)
{
    if (!w->recorder)
        return;
    w->recorder->area->at = (struct record_position){ RECORD_TIMED, begins ? w->recorder->n_windows : -1, -1, -1 };
    w->recorder->n_windows += !begins;
}

enum aisp_status worker_recorder_calls(const struct worker *w)
{
    volatile struct record_position *at = &w->recorder->area->at;
    const struct aisp_down *down = w->down;
    enum aisp_status st = AISP_OK;

    for (int64_t i = 0; i < down->calls && !st; i++) {
        const uint16_t slot = down->order[i % down->order_n];

        at->slot = slot;
        at->call = (int32_t)i;
        st = w->variant->run(&w->call[slot]);
        at->call = at->slot = -1;
    }
    return st;
}

void worker_recorder_flush(const struct worker *w)
{
    if (w->recorder)
        w->recorder->library->flush(w->down->calls != 0);
}
