/* recorder.c - start CUPTI in a worker, and have it write out what it saw. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "recorder_cuda/inside.h"

struct recorder_session session;

int64_t recorder_now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void recorder_copy_name(char to[RECORD_NAME], const char *name)
{
    snprintf(to, RECORD_NAME, "%s", name ? name : "");
}

#define PLACE(list, n, most)                                                       \
    const uint32_t at = __atomic_fetch_add(&session.area->n, 1, __ATOMIC_RELAXED); \
    return at < (most) ? &session.area->list[at] : NULL

struct record_call *recorder_call(void)
{
    PLACE(call, n_calls, RECORD_MOST_CALLS);
}

struct record_activity *recorder_activity(void)
{
    PLACE(activity, n_activities, RECORD_MOST_ACTIVITIES);
}

struct record_stream *recorder_stream(void)
{
    PLACE(stream, n_streams, RECORD_MOST_STREAMS);
}

struct record_context *recorder_context(void)
{
    PLACE(context, n_contexts, RECORD_MOST_CONTEXTS);
}

struct record_graph *recorder_graph(void)
{
    PLACE(graph, n_graphs, RECORD_MOST_GRAPHS);
}

struct record_code *recorder_code(void)
{
    PLACE(code, n_codes, RECORD_MOST_CODES);
}

static bool refuse(const char *what, CUptiResult result)
{
    const char *words = NULL;

    if (result && session.cupti.cuptiGetResultString)
        session.cupti.cuptiGetResultString(result, &words);
    snprintf(session.area->why, sizeof session.area->why, result ? "%s: %s" : "%s", what, words ? words : "unknown error");
    session.area->state = RECORD_REFUSED;
    return false;
}

/* Opened with the recorder itself: later the worker's cage lets no file be read that the variant may not read. */
static char library[32], missing[150];
static void *handle;

__attribute__((constructor)) static void load(void)
{
    snprintf(library, sizeof library, "libcupti.so.%d", CUPTI_API_VERSION / 10000);
    handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        snprintf(missing, sizeof missing, "%s", dlerror());
}

/* Records are read with the layout of the headers that this was built with, so it has to be that version. */
static bool open_cupti(void)
{
    static const char *const name[] = {
#define CUPTI_NAME(name) #name,
        CUPTI_CALLS(CUPTI_NAME)
#undef CUPTI_NAME
    };
    void **const field[] = {
#define CUPTI_PLACE(name) (void **)&session.cupti.name,
        CUPTI_CALLS(CUPTI_PLACE)
#undef CUPTI_PLACE
    };
    char text[150];

    if (!handle)
        return refuse(missing, CUPTI_SUCCESS);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        *field[i] = dlsym(handle, name[i]);
        if (!*field[i]) {
            snprintf(text, sizeof text, "%s has no %s", library, name[i]);
            return refuse(text, CUPTI_SUCCESS);
        }
    }
    session.cupti.cuptiGetVersion(&session.area->cupti_version);
    if (session.area->cupti_version / 100 == CUPTI_API_VERSION / 100)
        return true;
    snprintf(text, sizeof text, "%s is version %u, this was built for %u", library, session.area->cupti_version,
             (unsigned)CUPTI_API_VERSION);
    return refuse(text, CUPTI_SUCCESS);
}

#define TRY(call, ...)                                                  \
    do {                                                                \
        const CUptiResult result_ = session.cupti.call(__VA_ARGS__);    \
        if (result_)                                                    \
            return refuse(#call, result_);                              \
    } while (0)

static bool enable_callbacks(void)
{
    static const CUpti_CallbackIdResource resources[] = {
        CUPTI_CBID_RESOURCE_CONTEXT_CREATED,
        CUPTI_CBID_RESOURCE_MODULE_LOADED,
        CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED,
    };
    static CUpti_SubscriberHandle subscriber;

    TRY(cuptiSubscribe, &subscriber, recorder_on_callback, NULL);
    TRY(cuptiEnableDomain, 1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
    TRY(cuptiEnableDomain, 1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++)
        TRY(cuptiEnableCallback, 1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, resources[i]);
    return true;
}

/* Not every machine counts managed memory's faults; without them the trace has none. */
static void enable_faults(void)
{
    CUpti_ActivityUnifiedMemoryCounterConfig counter[2] = {
        { .kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT },
        { .kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT },
    };

    for (int i = 0; i < 2; i++) {
        counter[i].scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES;
        counter[i].enable = 1;
    }
    if (!session.cupti.cuptiActivityConfigureUnifiedMemoryCounter(counter, 2))
        session.cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

static bool enable_activities(void)
{
    TRY(cuptiActivityRegisterCallbacks, recorder_give_buffer, recorder_take_buffer);
    session.cupti.cuptiActivityEnableDeviceGraph(1);
    session.cupti.cuptiActivityEnableCudaEventDeviceTimestamps(1);
    TRY(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    TRY(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_MEMCPY);
    TRY(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_MEMCPY2);
    TRY(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_MEMSET);
    TRY(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_STREAM);
    session.cupti.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
    enable_faults();
    return true;
}

/* The narrowest of a few: whoever is put aside in between would make the two clocks look apart. */
static void pair_clocks(void)
{
    struct record_area *a = session.area;
    struct record_pair best = { 0 };

    if (a->n_pairs >= RECORD_MOST_PAIRS)
        return;
    for (int i = 0; i < 9; i++) {
        struct record_pair p = { .before_ns = recorder_now_ns() };

        if (session.cupti.cuptiGetTimestamp(&p.device))
            return;
        p.after_ns = recorder_now_ns();
        if (i == 0 || p.after_ns - p.before_ns < best.after_ns - best.before_ns)
            best = p;
    }
    a->pair[a->n_pairs++] = best;
}

static bool start(const struct recorder_start *s)
{
    session.area = s->area;
    session.tensor = s->tensor;
    session.n_tensors = s->n_tensors;
    s->area->version = RECORD_VERSION;
    recorder_be_first();
    if (!open_cupti() || !enable_callbacks() || !enable_activities())
        return false;
    pair_clocks();
    s->area->state = RECORD_ON;
    return true;
}

static void flush(bool all)
{
    size_t n_lost = 0;

    if (session.area->state != RECORD_ON)
        return;
    recorder_own(true);
    pair_clocks();
    session.cupti.cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
    if (!session.cupti.cuptiActivityGetNumDroppedRecords(NULL, 0, &n_lost))
        session.area->n_lost += n_lost;
    pair_clocks();
    session.area->n_flushes++;
    session.area->is_complete = all;
    recorder_own(false);
}

__attribute__((visibility("default"))) extern const struct recorder aisp_recorder;
const struct recorder aisp_recorder = {
    .version = RECORD_VERSION,
    .start = start,
    .own = recorder_own,
    .flush = flush,
};
