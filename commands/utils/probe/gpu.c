/* gpu.c - NVIDIA GPUs through their driver, if there is one: what it claims of each, and memory that is written and read back.
 * The driver's library is found at run time and talked to in a child: it starts threads, and a broken one may crash.
 * Not here: kernels of any kind, so clusters and tensor memory access stay claims. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/utils/probe/probe.h"

enum { MAX_GPUS = 16, WORDS = 1 << 18, LIMIT_S = 30 };
/* Numbers of the driver's interface. */
enum { SMS = 16, MAJOR = 75, MINOR = 76, CLUSTERS = 120, TMA = 127 };

struct gpu {
    char name[96];
    int major, minor, sms, clusters, tma, memory;
    unsigned long long bytes;
};
struct found {
    int loaded, started, version, n;
    struct gpu gpu[MAX_GPUS];
};

typedef int device;
struct driver {
    int (*init)(unsigned);
    int (*version)(int *);
    int (*count)(int *);
    int (*get)(device *, int);
    int (*name)(char *, int, device);
    int (*attribute)(int *, int, device);
    int (*total)(size_t *, device);
    int (*retain)(void **, device);
    int (*current)(void *);
    int (*allocate)(unsigned long long *, size_t);
    int (*fill)(unsigned long long, unsigned, size_t);
    int (*copy)(void *, unsigned long long, size_t);
};

static bool load(struct driver *d)
{
    const struct {
        const char *name;
        void *slot;
    } symbols[] = {
        { "cuInit", &d->init },
        { "cuDriverGetVersion", &d->version },
        { "cuDeviceGetCount", &d->count },
        { "cuDeviceGet", &d->get },
        { "cuDeviceGetName", &d->name },
        { "cuDeviceGetAttribute", &d->attribute },
        { "cuDeviceTotalMem_v2", &d->total },
        { "cuDevicePrimaryCtxRetain", &d->retain },
        { "cuCtxSetCurrent", &d->current },
        { "cuMemAlloc_v2", &d->allocate },
        { "cuMemsetD32_v2", &d->fill },
        { "cuMemcpyDtoH_v2", &d->copy },
    };
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    for (size_t i = 0; library && i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);

        if (!symbol)
            return false;
        memcpy(symbols[i].slot, &symbol, sizeof symbol);
    }
    return library != NULL;
}

/* 0: a mebibyte was written there and read back right; else the driver's error, or -1. */
static int try_memory(const struct driver *d, device gpu)
{
    unsigned long long memory;
    unsigned *back = calloc(WORDS, sizeof *back);
    void *context;
    int rc = back ? d->retain(&context, gpu) : -1, wrong = 0;

    rc = rc ? rc : d->current(context);
    rc = rc ? rc : d->allocate(&memory, WORDS * sizeof *back);
    rc = rc ? rc : d->fill(memory, 0x5aa5c33c, WORDS);
    rc = rc ? rc : d->copy(back, memory, WORDS * sizeof *back);
    for (int i = 0; !rc && i < WORDS; i++)
        wrong += back[i] != 0x5aa5c33c;
    free(back);
    return rc ? rc : wrong ? -1 : 0;
}

static void look(struct found *f)
{
    struct driver d;

    f->loaded = load(&d);
    f->started = f->loaded ? d.init(0) : -1;
    if (!f->loaded || f->started || d.version(&f->version) || d.count(&f->n))
        return;
    f->n = f->n < MAX_GPUS ? f->n : MAX_GPUS;
    for (int i = 0; i < f->n; i++) {
        struct gpu *g = &f->gpu[i];
        size_t bytes = 0;
        device gpu;

        if (d.get(&gpu, i))
            continue;
        d.name(g->name, (int)sizeof g->name - 1, gpu);
        d.attribute(&g->major, MAJOR, gpu);
        d.attribute(&g->minor, MINOR, gpu);
        d.attribute(&g->sms, SMS, gpu);
        d.attribute(&g->clusters, CLUSTERS, gpu);
        d.attribute(&g->tma, TMA, gpu);
        d.total(&bytes, gpu);
        g->bytes = bytes;
        g->memory = try_memory(&d, gpu);
    }
}

/* False: it did not come back. */
static bool look_in_child(struct found *f)
{
    int pipes[2], status;
    pid_t pid;
    bool whole;

    if (pipe(pipes))
        return false;
    pid = fork();
    if (!pid) {
        struct found there = { 0 };

        signal(SIGALRM, SIG_DFL);
        alarm(LIMIT_S);
        look(&there);
        _exit(write(pipes[1], &there, sizeof there) == (ssize_t)sizeof there ? 0 : 1);
    }
    close(pipes[1]);
    whole = pid > 0;
    for (size_t n = 0; whole && n < sizeof *f;) {
        const ssize_t got = read(pipes[0], (char *)f + n, sizeof *f - n);

        whole = got > 0;
        n += whole ? (size_t)got : 0;
    }
    close(pipes[0]);
    return pid > 0 && waitpid(pid, &status, 0) == pid && whole;
}

static json_t *gpu_of(const struct gpu *g)
{
    char capability[24], outcome[40];

    snprintf(capability, sizeof capability, "%d.%d", g->major, g->minor);
    if (g->memory)
        snprintf(outcome, sizeof outcome, g->memory < 0 ? "read back wrong" : "driver error %d", g->memory);
    return json_pack("{s:s, s:s, s:i, s:I, s:s, s:b, s:b}", "name", g->name, "compute_capability", capability, "sms", g->sms,
                     "memory_bytes", (json_int_t)g->bytes, "memory", g->memory ? outcome : "written and read back",
                     "clusters_claimed", g->clusters > 0, "tma_claimed", g->tma > 0);
}

json_t *aisp_probe_gpus(void)
{
    struct found f = { 0 };
    json_t *gpus = json_array();
    char version[24], why[48] = "";

    if (!look_in_child(&f))
        return json_pack("{s:s, s:s, s:o}", "driver", "none", "why", "looking for it did not end", "gpus", gpus);
    if (!f.loaded)
        return json_pack("{s:s, s:s, s:o}", "driver", "none", "why", "no driver: libcuda.so.1 cannot be loaded", "gpus", gpus);
    snprintf(version, sizeof version, "CUDA %d.%d", f.version / 1000, f.version % 1000 / 10);
    if (f.started)
        snprintf(why, sizeof why, "cuInit answers %d", f.started);
    for (int i = 0; i < f.n; i++)
        json_array_append_new(gpus, gpu_of(&f.gpu[i]));
    return json_pack("{s:s, s:s, s:o}", "driver", f.started ? "does not start" : version, "why", why, "gpus", gpus);
}
