/* conditions.c - in an audit session: under what conditions the variant runs, as this process's driver and its environment tell
 * them. They are asked once the variant is loaded, whose constructors have run by then, after its setup and after each window.
 * Not here: what the device does (recorder.c), what a difference means (checks/workload_device.c). What is written is this
 * process's own word, as all that a recorder writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/record.h"
#include "worker/device.h"

/* What libraries compute with. What the driver reads it has read before the variant was there (CUDA_LAUNCH_BLOCKING and the like):
 * it changes nothing any more. */
static const char *const variables[] = {
    "NVIDIA_TF32_OVERRIDE",
    "CUBLAS_WORKSPACE_CONFIG",
    "CUBLAS_EMULATE_SINGLE_PRECISION",
    "CUBLAS_EMULATE_DOUBLE_PRECISION",
    "CUBLAS_EMULATION_STRATEGY",
    "CUBLASLT_HEURISTICS_CACHE_CAPACITY",
    "CUBLASLT_HEURISTICS_LUT_FILE",
};

/* Those that nobody but the variant changes: the stack's grows with the kernels that are loaded. */
static const struct {
    const char *name;
    int limit;
} limits[] = { { "L2 fetch granularity", CU_LIMIT_L2_FETCH }, { "persisting L2 bytes", CU_LIMIT_L2_PERSISTING } };

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

/* Nothing, if it stands as it did. */
static void note(struct record_area *area, struct record_policy now)
{
    const uint32_t n = area->n_policies;

    if (n >= RECORD_MOST_POLICIES)
        return;
    for (uint32_t i = n; i-- > 0;) {
        if (strncmp(area->policy[i].name, now.name, sizeof now.name))
            continue;
        if (!strncmp(area->policy[i].value, now.value, sizeof now.value))
            return;
        break;
    }
    area->policy[n] = now;
    area->n_policies = n + 1;
}

static void note_number(struct record_area *area, struct record_policy at, const char *name, uint64_t value)
{
    snprintf(at.name, sizeof at.name, "%s", name);
    snprintf(at.value, sizeof at.value, "%llu", (unsigned long long)value);
    note(area, at);
}

static void note_all(struct worker *w, const struct record_policy *at)
{
    const struct cuda_driver *driver = &w->device->driver;
    unsigned flags;
    size_t bytes;
    int config;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!driver->context_limit(&bytes, limits[i].limit))
            note_number(w->record, *at, limits[i].name, bytes);
    if (!driver->context_cache(&config))
        note_number(w->record, *at, "cache configuration", (uint64_t)config);
    if (!driver->context_flags(&flags))
        note_number(w->record, *at, "scheduling flags", flags & CU_CTX_SCHEDULING);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        struct record_policy now = *at;

        snprintf(now.name, sizeof now.name, "%s", variables[i]);
        snprintf(now.value, sizeof now.value, "%s", value ? value : "not set");
        note(w->record, now);
    }
}

static void look(struct worker *w, int32_t phase, int32_t window)
{
    const struct record_policy at = { .phase = phase, .window = window };

    if (!w->record || !w->device)
        return;
    if (!worker_device_enter(w)) {
        if (phase == RECORD_LOAD)
            w->record->pool_bytes = pool_bytes(&w->device->driver);
        note_all(w, &at);
    }
    worker_device_leave(w);
}

void worker_conditions_at_start(struct worker *w)
{
    look(w, RECORD_LOAD, -1);
}

void worker_conditions_after_setup(struct worker *w)
{
    look(w, RECORD_SETUP, -1);
}

void worker_conditions_after_window(struct worker *w)
{
    static int32_t n;

    if (!w->down->calls) /* else it was asked for the rest, behind the last window */
        look(w, RECORD_TIMED, n++);
}
