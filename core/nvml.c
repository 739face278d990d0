/* nvml.c - the management library by dlopen, and the thread that samples a card.
 * Prototypes are declared here and not taken from a header of the driver, so that the same program
 * runs with any driver and with none. A function that an older driver lacks leaves its fact
 * unknown. */
#include "core/nvml.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"

enum { NVML_OK = 0, CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_DIE = 0, MOST_CARDS = 64 };
enum { SAMPLE_EVERY_NS = 5000000 };
/* How the energy counter's steps are looked for. */
enum { STEPS_SEEN = 8, STEP_LOOK_NS = 200000, STEP_PATIENCE_NS = 1500000000 };

typedef int nvml_result;
typedef void *nvml_device;

struct utilisation {
    unsigned gpu, memory;
};
struct process {
    unsigned pid;
    unsigned long long bytes;
    unsigned instance, compute_instance;
};

/* The library's functions, by our names. */
struct nvml {
    void *handle;
    nvml_result (*init)(void);
    nvml_result (*shutdown)(void);
    nvml_result (*driver)(char *text, unsigned size);
    nvml_result (*count)(unsigned *n);
    nvml_result (*by_index)(unsigned index, nvml_device *device);
    nvml_result (*by_uuid)(const char *uuid, nvml_device *device);
    nvml_result (*card_of)(nvml_device instance, nvml_device *card);
    nvml_result (*name)(nvml_device, char *text, unsigned size);
    nvml_result (*uuid)(nvml_device, char *text, unsigned size);
    nvml_result (*compute)(nvml_device, int *major, int *minor);
    nvml_result (*clock)(nvml_device, int which, unsigned *mhz);
    nvml_result (*clock_most)(nvml_device, int which, unsigned *mhz);
    nvml_result (*reasons)(nvml_device, unsigned long long *bits);
    nvml_result (*celsius)(nvml_device, int sensor, unsigned *degrees);
    nvml_result (*power)(nvml_device, unsigned *mw);
    nvml_result (*limit)(nvml_device, unsigned *mw);
    nvml_result (*limit_default)(nvml_device, unsigned *mw);
    nvml_result (*energy)(nvml_device, unsigned long long *mj);
    nvml_result (*ecc)(nvml_device, int *now, int *pending);
    nvml_result (*mig)(nvml_device, unsigned *now, unsigned *pending);
    nvml_result (*processes)(nvml_device, unsigned *n, struct process *list);
    nvml_result (*use)(nvml_device, struct utilisation *use);
};

struct aisp_watch {
    struct nvml lib;
    struct aisp_card *card;
    nvml_device device[MOST_CARDS];
    int n_devices, at; /* at: the one that was asked for */
    unsigned long long energy_before_mj;
    int64_t begin_ns, begin_mj; /* of the window; mj -1: unknown */
    pthread_t thread;
    pthread_mutex_t lock; /* of all below, and of card->block */
    pthread_cond_t changed;
    bool has_thread, is_open, is_over;
    struct aisp_watch_mark mark;
};

static const char *library = "libnvidia-ml.so.1";

void aisp_nvml_set_library(const char *path)
{
    library = path ? path : "libnvidia-ml.so.1";
}

/* ---- the library ---- */

#define LOAD(member, symbol) load(lib->handle, symbol, &lib->member, sizeof lib->member)

static void load(void *handle, const char *symbol, void *function, size_t size)
{
    void *found = dlsym(handle, symbol);

    if (found)
        memcpy(function, &found, size);
}

static void load_all(struct nvml *lib)
{
    LOAD(init, "nvmlInit_v2");
    LOAD(shutdown, "nvmlShutdown");
    LOAD(driver, "nvmlSystemGetDriverVersion");
    LOAD(count, "nvmlDeviceGetCount_v2");
    LOAD(by_index, "nvmlDeviceGetHandleByIndex_v2");
    LOAD(by_uuid, "nvmlDeviceGetHandleByUUID");
    LOAD(card_of, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle");
    LOAD(name, "nvmlDeviceGetName");
    LOAD(uuid, "nvmlDeviceGetUUID");
    LOAD(compute, "nvmlDeviceGetCudaComputeCapability");
    LOAD(clock, "nvmlDeviceGetClockInfo");
    LOAD(clock_most, "nvmlDeviceGetMaxClockInfo");
    LOAD(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    LOAD(reasons, "nvmlDeviceGetCurrentClocksEventReasons"); /* the name since driver 535 */
    LOAD(celsius, "nvmlDeviceGetTemperature");
    LOAD(power, "nvmlDeviceGetPowerUsage");
    LOAD(limit, "nvmlDeviceGetEnforcedPowerLimit");
    LOAD(limit_default, "nvmlDeviceGetPowerManagementDefaultLimit");
    LOAD(energy, "nvmlDeviceGetTotalEnergyConsumption");
    LOAD(ecc, "nvmlDeviceGetEccMode");
    LOAD(mig, "nvmlDeviceGetMigMode");
    LOAD(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
    LOAD(use, "nvmlDeviceGetUtilizationRates");
}

/* NULL, or why it cannot be used. */
static const char *open_library(struct nvml *lib)
{
    lib->handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!lib->handle)
        return "there is no NVIDIA management library (libnvidia-ml.so.1)";
    load_all(lib);
    if (!lib->init || !lib->shutdown || !lib->count || !lib->by_index || !lib->uuid || !lib->name)
        return "the NVIDIA management library lacks what every driver has";
    return lib->init() == NVML_OK ? NULL : "the NVIDIA management library finds no driver";
}

/* ---- one card ---- */

static int32_t number(nvml_result (*ask)(nvml_device, int, unsigned *), nvml_device d, int which)
{
    unsigned value = 0;

    return ask && ask(d, which, &value) == NVML_OK ? (int32_t)value : -1;
}

static int64_t plain(nvml_result (*ask)(nvml_device, unsigned *), nvml_device d)
{
    unsigned value = 0;

    return ask && ask(d, &value) == NVML_OK ? (int64_t)value : -1;
}

static void text(nvml_result (*ask)(nvml_device, char *, unsigned), nvml_device d, char *to,
                 size_t size)
{
    if (!ask || ask(d, to, (unsigned)size) != NVML_OK)
        *to = 0;
    to[size - 1] = 0;
}

/* An instance has no sensors of its own: those of the card whose part it is are read. Into *uuid, which stays empty if there is no
 * such instance. */
static void name_card_of_instance(const struct aisp_watch *w, const char *instance, char uuid[96])
{
    nvml_device part, card;

    *uuid = 0;
    if (w->lib.by_uuid && w->lib.card_of && w->lib.by_uuid(instance, &part) == NVML_OK && w->lib.card_of(part, &card) == NVML_OK)
        text(w->lib.uuid, card, uuid, 96);
}

/* The card that was asked for: by index or UUID, its own or that of an instance of it; -1 if there is none. */
static int find(const struct aisp_watch *w, const char *requested)
{
    char uuid[96], parent[96], *end;
    const long index = strtol(requested, &end, 10);

    if (!*end && end != requested)
        return index >= 0 && index < w->n_devices ? (int)index : -1;
    if (!strncmp(requested, "MIG-", 4)) {
        name_card_of_instance(w, requested, parent);
        if (!*parent)
            return -1;
        requested = parent;
    }
    for (int i = 0; i < w->n_devices; i++) {
        text(w->lib.uuid, w->device[i], uuid, sizeof uuid);
        if (!strcmp(uuid, requested))
            return i;
    }
    return -1;
}

static void modes(const struct nvml *lib, nvml_device d, struct aisp_card *c)
{
    unsigned mig = 0, mig_pending;
    int ecc = 0, ecc_pending, major = 0, minor = 0;

    c->mig = lib->mig && lib->mig(d, &mig, &mig_pending) == NVML_OK ? (int32_t)mig : -1;
    c->ecc = lib->ecc && lib->ecc(d, &ecc, &ecc_pending) == NVML_OK ? (int32_t)ecc : -1;
    c->compute = lib->compute && lib->compute(d, &major, &minor) == NVML_OK
                     ? (int32_t)(10 * major + minor)
                     : -1;
}

/* The judge of a device's sessions is a child of this process. */
static bool is_ours(unsigned pid)
{
    char path[64], text[512];
    int parent = 0, fd;
    ssize_t n;
    const char *end;

    snprintf(path, sizeof path, "/proc/%u/stat", pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    end = strrchr(text, ')'); /* names may hold anything */
    return pid == (unsigned)getpid() || (end && sscanf(end + 1, " %*c %d", &parent) == 1 && parent == (int)getpid());
}

static int32_t count_processes(const struct nvml *lib, nvml_device d)
{
    struct process list[64];
    unsigned n = sizeof list / sizeof *list;
    int32_t others = 0;

    if (!lib->processes || lib->processes(d, &n, list) != NVML_OK)
        return -1;
    for (unsigned i = 0; i < n && i < sizeof list / sizeof *list; i++)
        others += !is_ours(list[i].pid);
    return others;
}

static void identify(struct aisp_watch *w)
{
    struct aisp_card *c = w->card;
    const nvml_device d = w->device[w->at];

    text(w->lib.name, d, c->name, sizeof c->name);
    text(w->lib.uuid, d, c->uuid, sizeof c->uuid);
    if (!w->lib.driver || w->lib.driver(c->driver, sizeof c->driver) != NVML_OK)
        *c->driver = 0;
    modes(&w->lib, d, c);
    c->sm_mhz_most = number(w->lib.clock_most, d, CLOCK_SM);
    c->limit_default_mw = plain(w->lib.limit_default, d);
    c->n_processes = count_processes(&w->lib, d);
    if (w->lib.energy && w->lib.energy(d, &w->energy_before_mj) != NVML_OK)
        w->energy_before_mj = 0;
}

/* ---- samples ---- */

static struct aisp_card_block *block_of(struct aisp_card *c, const struct aisp_watch_mark *m)
{
    struct aisp_card_block *b;

    for (size_t i = c->n_blocks, looked = 0; i-- > 0 && looked < 4; looked++)
        if (c->block[i].pair == m->pair && c->block[i].block == m->block &&
            c->block[i].side == m->side)
            return &c->block[i];
    if (c->n_blocks == AISP_CARD_MAX_BLOCKS)
        return NULL;
    b = aisp_grow(&c->block, &c->n_blocks, &c->cap_blocks, sizeof *b);
    *b = (struct aisp_card_block){ .pair = m->pair,
                                   .block = m->block,
                                   .side = m->side,
                                   .sm_mhz_low = -1,
                                   .sm_mhz_high = -1,
                                   .memory_mhz_low = -1,
                                   .celsius_high = -1,
                                   .power_mw_high = -1,
                                   .limit_mw_low = -1,
                                   .limit_mw_high = -1 };
    return b;
}

static int64_t lower(int64_t old, int64_t now)
{
    return now >= 0 && (old < 0 || now < old) ? now : old;
}

static int64_t higher(int64_t old, int64_t now)
{
    return now > old ? now : old;
}

/* Is anybody's card busy but the one that was asked for? */
static void sample_use(struct aisp_watch *w)
{
    struct aisp_card *c = w->card;

    for (int i = 0; i < w->n_devices && w->lib.use; i++) {
        struct utilisation use = { 0 };

        if (w->lib.use(w->device[i], &use) != NVML_OK)
            continue;
        if (i == w->at) {
            c->busy_high = (int32_t)higher(c->busy_high, use.gpu);
        } else if ((int32_t)use.gpu > c->elsewhere_busy_high) {
            c->elsewhere_busy_high = (int32_t)use.gpu;
            c->elsewhere = i;
        }
    }
}

static void sample(struct aisp_watch *w, const struct aisp_watch_mark *mark)
{
    const nvml_device d = w->device[w->at];
    const int32_t sm_mhz = number(w->lib.clock, d, CLOCK_SM),
                  memory_mhz = number(w->lib.clock, d, CLOCK_MEMORY),
                  celsius = number(w->lib.celsius, d, SENSOR_DIE);
    const int64_t power_mw = plain(w->lib.power, d), limit_mw = plain(w->lib.limit, d);
    unsigned long long reasons = 0;
    struct aisp_card_block *b = block_of(w->card, mark);

    w->card->n_samples++;
    if (!b) {
        w->card->n_dropped++;
        return;
    }
    if (w->lib.reasons && w->lib.reasons(d, &reasons) == NVML_OK)
        b->reasons |= (int64_t)reasons;
    b->n++;
    b->sm_mhz_low = (int32_t)lower(b->sm_mhz_low, sm_mhz);
    b->sm_mhz_high = (int32_t)higher(b->sm_mhz_high, sm_mhz);
    b->memory_mhz_low = (int32_t)lower(b->memory_mhz_low, memory_mhz);
    b->celsius_high = (int32_t)higher(b->celsius_high, celsius);
    b->power_mw_high = higher(b->power_mw_high, power_mw);
    b->limit_mw_low = lower(b->limit_mw_low, limit_mw);
    b->limit_mw_high = higher(b->limit_mw_high, limit_mw);
    sample_use(w);
}

/* ---- energy ---- */

static int64_t counter_mj(const struct aisp_watch *w)
{
    unsigned long long mj = 0;

    return w->lib.energy && w->lib.energy(w->device[w->at], &mj) == NVML_OK ? (int64_t)mj : -1;
}

/* To the block of the window that ends. One window of which it is unknown leaves the block's unknown. */
static void add_energy(struct aisp_watch *w, int64_t ns, int64_t now_mj)
{
    struct aisp_card_block *b = block_of(w->card, &w->mark);
    const bool is_known = w->begin_mj >= 0 && now_mj >= w->begin_mj;

    if (!b)
        return;
    b->n_windows++;
    b->calls += w->mark.calls;
    b->ns += ns;
    b->energy_mj = is_known && b->energy_mj >= 0 ? b->energy_mj + now_mj - w->begin_mj : -1;
}

/* Steps of the counter are known once the run is over. */
static void drop_unresolved(struct aisp_card *c)
{
    for (size_t i = 0; i < c->n_blocks; i++) {
        struct aisp_card_block *b = &c->block[i];

        if (b->n_windows < 1 || c->energy_step_ns <= 0 || b->ns < b->n_windows * AISP_CARD_LEAST_STEPS * c->energy_step_ns)
            b->energy_mj = -1;
    }
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

/* The median: a look that comes late misses a step, or makes one look short. */
int64_t aisp_watch_energy_step(struct aisp_watch *w)
{
    const struct timespec pause = { 0, STEP_LOOK_NS };
    const int64_t begin_ns = aisp_now_ns();
    int64_t step_ns[STEPS_SEEN], last_ns = 0, before_mj;
    int n = -1; /* the first change begins a step */

    if (!w)
        return -1;
    before_mj = counter_mj(w);
    while (before_mj >= 0 && n < STEPS_SEEN && aisp_now_ns() - begin_ns < STEP_PATIENCE_NS) {
        const int64_t mj = counter_mj(w), now_ns = aisp_now_ns();

        if (mj > before_mj) { /* not where it can no longer be read */
            if (n >= 0)
                step_ns[n] = now_ns - last_ns;
            last_ns = now_ns;
            n++;
        }
        before_mj = mj;
        nanosleep(&pause, NULL);
    }
    if (n > 0)
        qsort(step_ns, (size_t)n, sizeof *step_ns, by_value);
    w->card->energy_step_ns = n > 0 ? step_ns[n / 2] : -1;
    return w->card->energy_step_ns;
}

static void *watch_thread(void *argument)
{
    struct aisp_watch *w = argument;
    struct timespec until;

    pthread_mutex_lock(&w->lock);
    while (!w->is_over) {
        if (!w->is_open) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        sample(w, &w->mark);
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += SAMPLE_EVERY_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&w->changed, &w->lock, &until);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* ---- the watch ---- */

static void close_library(struct nvml *lib)
{
    if (!lib->handle)
        return;
    if (lib->shutdown)
        lib->shutdown();
    dlclose(lib->handle);
}

static struct aisp_watch *give_up(struct aisp_watch *w, const char *why)
{
    snprintf(w->card->unknown, sizeof w->card->unknown, "%s", why);
    close_library(&w->lib);
    free(w);
    return NULL;
}

static void start_thread(struct aisp_watch *w)
{
    pthread_condattr_t attributes;

    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&w->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    w->has_thread = !pthread_create(&w->thread, NULL, watch_thread, w);
}

struct aisp_watch *aisp_watch_open(struct aisp_card *card, const char *requested)
{
    struct aisp_watch *w = aisp_xcalloc(1, sizeof *w);
    const char *why;
    unsigned n = 0;

    w->card = card;
    card->asked = true;
    snprintf(card->requested, sizeof card->requested, "%s", requested);
    card->compute = card->mig = card->ecc = card->sm_mhz_most = card->n_processes = -1;
    card->limit_default_mw = card->energy_mj = card->energy_step_ns = -1;
    card->busy_high = card->elsewhere_busy_high = card->elsewhere = -1;
    why = open_library(&w->lib);
    if (why)
        return give_up(w, why);
    if (w->lib.count(&n) != NVML_OK || n == 0)
        return give_up(w, "the NVIDIA driver has no card");
    card->n_cards = (int32_t)n;
    w->n_devices = n < MOST_CARDS ? (int)n : MOST_CARDS;
    for (int i = 0; i < w->n_devices; i++) /* one that does not answer keeps its index */
        if (w->lib.by_index((unsigned)i, &w->device[i]) != NVML_OK)
            w->device[i] = NULL;
    w->at = find(w, requested);
    if (w->at < 0)
        return give_up(w, "the machine has no card of that index or UUID");
    identify(w);
    start_thread(w);
    return w;
}

void aisp_watch_begin(struct aisp_watch *w, const struct aisp_watch_mark *mark)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->mark = *mark;
    w->is_open = true;
    w->begin_mj = counter_mj(w);
    w->begin_ns = aisp_now_ns();
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void aisp_watch_end(struct aisp_watch *w)
{
    int64_t now_ns, now_mj;

    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->is_open = false;
    now_mj = counter_mj(w);
    now_ns = aisp_now_ns();
    sample(w, &w->mark);
    add_energy(w, now_ns - w->begin_ns, now_mj);
    pthread_mutex_unlock(&w->lock);
}

void aisp_watch_close(struct aisp_watch *w)
{
    unsigned long long energy_mj = 0;
    struct aisp_card *c;

    if (!w)
        return;
    c = w->card;
    pthread_mutex_lock(&w->lock);
    w->is_over = true;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (w->has_thread)
        pthread_join(w->thread, NULL);
    text(w->lib.name, w->device[w->at], c->name_after, sizeof c->name_after);
    text(w->lib.uuid, w->device[w->at], c->uuid_after, sizeof c->uuid_after);
    if (!w->lib.driver || w->lib.driver(c->driver_after, sizeof c->driver_after) != NVML_OK)
        *c->driver_after = 0;
    if (w->lib.energy && w->lib.energy(w->device[w->at], &energy_mj) == NVML_OK &&
        w->energy_before_mj && energy_mj >= w->energy_before_mj)
        c->energy_mj = (int64_t)(energy_mj - w->energy_before_mj);
    drop_unresolved(c);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    close_library(&w->lib);
    free(w);
}
