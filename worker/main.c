/* main.c - aisp-worker: the child that is exec'ed for one variant, maps the harness's buffers,
 * cages itself, loads the variant and serves windows until it is told to leave. It is the trust
 * boundary: from dlopen on, nothing it says is believed. Not for people: started by aisp with
 * descriptors 3 to 5 and the offset of its spec. Links nothing but libc, to start quickly and to
 * look the same to every variant. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "worker/worker.h"

static enum aisp_status refuse(struct worker *w, const char *why)
{
    snprintf(w->up->text, sizeof w->up->text, "%s",
             why ? why : "unknown error of the dynamic linker");
    return AISP_E_REFUSED;
}

/* Its libraries are there already: the one file that the loader asks for is its own. */
static void *open_strictly(const char *by_fd)
{
    void *handle;

    worker_be_strict(by_fd, AISP_FD_VARIANT);
    handle = dlopen(by_fd, RTLD_NOW | RTLD_LOCAL);
    worker_be_strict(NULL, -1);
    return handle;
}

/* What a stranger's variant may be linked with, for both sides alike, so that they lie at the same addresses. libgcc_s: what ends
 * or cancels a thread is looked for by libc itself, when the first thread does. Where one is not installed nobody is linked with it. */
static void preload(void)
{
    static const char *const libraries[] = { "libm.so.6", "libmvec.so.1", "libgcc_s.so.1" };

    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
}

/* By its path, so that debuggers and $ORIGIN work; by descriptor where this user cannot walk
 * there. */
static void *open_object(const struct worker *w)
{
    const char *path = (const char *)w->spec + w->spec->path_at;
    char by_fd[32];

    snprintf(by_fd, sizeof by_fd, "/proc/self/fd/%d", AISP_FD_VARIANT);
    if (w->spec->flags & AISP_SPEC_STRICT)
        return open_strictly(by_fd);
    return dlopen(access(path, R_OK) ? by_fd : path, RTLD_NOW | RTLD_LOCAL);
}

/* Leave `bytes` of address space empty, and the holes above it filled, so that what is loaded
 * next comes to lie below. */
static void shift_addresses(uint64_t bytes)
{
    enum { MOST_HOLES = 4096, PAGE = 4096 };
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *shift = mmap(NULL, bytes + PAGE, PROT_NONE, flags, -1, 0), *hole;

    for (int i = 0; i < MOST_HOLES; i++) {
        hole = mmap(NULL, PAGE, PROT_NONE, flags, -1, 0);
        if (hole < shift || hole == MAP_FAILED) {
            munmap(hole, PAGE);
            return;
        }
    }
}

static enum aisp_status load(struct worker *w)
{
    void *handle;

    w->up->float_at_load = w->up->float_after = worker_float_mode();
    handle = open_object(w);
    close(AISP_FD_VARIANT);
    if (!handle)
        return refuse(w, dlerror());
    w->variant = dlsym(handle, "aisp_variant");
    if (!w->variant)
        return refuse(w, "it has no symbol aisp_variant");
    if (w->variant->abi != AISP_ABI)
        return refuse(w, "it was built for another version of variant.h");
    if (!w->variant->run)
        return refuse(w, "it has no run()");
    worker_launches_find(handle);
    if (w->spec->flags & AISP_SPEC_MEASURED) {
        const struct rlimit log_only = { AISP_FD_IN, AISP_FD_IN };

        setrlimit(RLIMIT_NOFILE, &log_only);
    }
    return AISP_OK;
}

static enum aisp_status setup(struct worker *w)
{
    const struct aisp_spec *spec = w->spec;
    enum aisp_status st = AISP_OK;

    if (!worker_make_calls(w))
        return AISP_E_NO_MEMORY;
    if (w->variant->setup) {
        const struct aisp_setup s = {
            .param = spec->param,
            .weight = w->weight,
            .slot = (void *const *const *)w->slot,
            .n_slots = spec->n_slots,
            .n_threads = spec->n_threads,
            .rank = spec->rank,
            .n_ranks = spec->n_ranks,
            .rendezvous = w->meet,
            .rendezvous_bytes = spec->meet_bytes,
            .wire = spec->has_wires ? w->wire : NULL,
            .workspace = w->workspace,
            .stream = worker_device_stream(w),
            .state = &w->state,
        };

        st = w->variant->setup(&s);
    }
    if (!st && w->device)
        st = worker_device_settle(w);
    for (int i = 0; i < spec->n_slots; i++)
        w->call[i].state = w->state;
    return st;
}

static void answer(struct worker *w, uint32_t seq, enum aisp_status st)
{
    w->up->status = (int32_t)st;
    worker_answer(&w->up->done_seq, seq, true);
}

/* Nothing of the variant is there yet: what is said of the cage now is believed. */
static enum aisp_status enter(struct worker *w)
{
    if (w->spec->flags & AISP_SPEC_FAR && !worker_device_open(w))
        return AISP_E_DEVICE;
    return worker_lock(w) ? AISP_OK : AISP_E_UNAVAILABLE;
}

static _Noreturn void serve(struct worker *w)
{
    uint32_t seq = 1;

    answer(w, seq, enter(w));
    worker_wait(&w->down->command_seq, ++seq);
    answer(w, seq, load(w));
    for (;;) {
        worker_wait(&w->down->command_seq, ++seq);
        w->up->phase = w->down->command;
        worker_recorder_phase(w, w->down->command, true);
        switch ((enum aisp_worker_command)w->down->command) {
        case AISP_COMMAND_SETUP:
            worker_conditions_at_start(w);
            w->up->status = (int32_t)setup(w);
            worker_conditions_after_setup(w);
            worker_recorder_phase(w, AISP_COMMAND_SETUP, false);
            answer(w, seq, (enum aisp_status)w->up->status);
            w->up->float_after = worker_float_mode();
            break;
        case AISP_COMMAND_WINDOW:
            worker_window(w, seq);
            break;
        case AISP_COMMAND_RECORD:
            worker_conditions_after_window(w);
            worker_recorder_flush(w);
            answer(w, seq, AISP_OK);
            break;
        case AISP_COMMAND_POISON:
            answer(w, seq, worker_device_poison(w));
            break;
        case AISP_COMMAND_OPEN:
        case AISP_COMMAND_LOAD:
        case AISP_COMMAND_LEAVE:
            if (w->variant && w->variant->teardown)
                w->variant->teardown(w->state);
            fflush(NULL);
            answer(w, seq, AISP_OK);
            _exit(0);
        }
    }
}

int main(int argc, char **argv)
{
    static struct worker w;

    if (argc != 2 || !worker_map(&w, strtoull(argv[1], NULL, 16))) {
        if (w.up)
            answer(&w, 1, AISP_E_REFUSED);
        return 127;
    }
    worker_note_crashes(w.up);
    setvbuf(stdout, NULL, _IOLBF, 0); /* the log keeps what was printed before a crash */
    worker_recorder_load(&w);
    close(AISP_FD_IN);
    close(AISP_FD_OUT);
    close(AISP_FD_MEET);
    close(AISP_FD_UP);
    shift_addresses(w.spec->shift_bytes);
    if (w.spec->flags & AISP_SPEC_MEASURED)
        mallopt(M_ARENA_MAX, 1); /* an arena of each thread is address space that nobody asked for */
    if (w.spec->flags & AISP_SPEC_PRELOAD)
        preload();
    if (!worker_confine(&w))
        _exit(127);
    /* Both workers of a pair get the same shift, so that neither owes its speed to where its
     * stack lies. */
    *(volatile char *)__builtin_alloca(w.spec->stack_shift_bytes + 16) = 0;
    serve(&w);
}
