/* cuda.c - an NVIDIA card as a device: workers as on the CPU (backends/cpu), whose tensors lie in memory that the judge makes
 * on the card and exports to both of a pair. The supervisor opens no driver: a card that is lost ends the judge, and the run
 * says so.
 * Not here: the judge (judge.h and judge_cuda/), what a worker does with the card (worker/device.c), kernels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/cuda/cold.h"
#include "backends/cuda/cuda.h"
#include "backends/cuda/judge.h"
#include "backends/cuda/trace.h"
#include "core/base/clock.h"
#include "core/base/buf.h"
#include "core/base/err.h"

enum { NOT_READ = -1 };

static struct {
    struct cuda_judge *judge; /* NULL: not started, or lost */
    struct aisp_session *session; /* that is open; NULL: none */
    struct cuda_card card;
    const char *library;
    struct aisp_err why; /* it could not be started: asked once */
    uint32_t hot_below; /* of the session, in cycles; 0: not known yet */
    struct aisp_cold_facts known; /* what lines of which it was known took, as far as it was not told yet */
    bool is_swept; /* all of the cache, before this window */
    int64_t read_ns; /* the first read since the last window; NOT_READ: it comes next, and is timed */
    int64_t replace_ns; /* all that was replaced since then */
} the;

void aisp_cuda_set_library(const char *path)
{
    cuda_judge_stop(the.judge);
    memset(&the, 0, sizeof the);
    the.library = path;
}

static enum aisp_status probe(struct aisp_err *err)
{
    enum aisp_status st;

    if (the.judge)
        return AISP_OK;
    if (!the.why.status) {
        st = cuda_judge_start(&the.judge, the.library, &the.card, &the.why);
        if (st == AISP_OK)
            return st;
    }
    return aisp_fail(err, the.why.status, "%s", the.why.text);
}

/* After a failure the next session starts another judge: whatever state the old one's context is in, it ends with it. */
static void give_up(void)
{
    cuda_judge_stop(the.judge);
    the.judge = NULL;
}

/* Between sessions a judge that does not answer well, for it died or its context is lost, is replaced. */
static enum aisp_status free_bytes(int64_t *bytes, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(probe(err));
    st = cuda_judge_free_bytes(the.judge, bytes, err);
    if (!st || the.session)
        return st;
    give_up();
    AISP_TRY(probe(err));
    st = cuda_judge_free_bytes(the.judge, bytes, err);
out:
    return st;
}

static int n_buffers(const struct aisp_instance *inst, int n_slots)
{
    int n = 0;

    for (int t = 0; t < inst->n_tensors; t++)
        n += inst->problem->tensor[t].role == AISP_WEIGHT ? 1 : n_slots;
    return n;
}

static enum aisp_status fits(const struct aisp_instance *inst, int n_slots, int n_workers, struct aisp_err *err)
{
    enum { WORKER_BYTES = 600 << 20 }; /* a context, its modules and a library's workspace */
    const int n = n_buffers(inst, n_slots);
    double needs;
    int64_t available;
    enum aisp_status st;

    if (n > AISP_MAX_FAR)
        return aisp_fail(err, AISP_E_NO_MEMORY, "needs %d buffers on the device, %d can be given", n, AISP_MAX_FAR);
    st = free_bytes(&available, err);
    if (st)
        return st;
    needs = (double)aisp_instance_weight_bytes(inst) + (double)n_slots * (double)aisp_instance_slot_bytes(inst) +
            (double)n * (double)the.card.granularity + (double)n_workers * WORKER_BYTES + 3.0 * (double)the.card.l2_bytes;
    if (needs > (double)available)
        return aisp_fail(err, AISP_E_NO_MEMORY, "needs %.1f GiB on the card, %.1f GiB are free", needs / (1 << 30),
                         (double)available / (1 << 30));
    return AISP_OK;
}

/* ---- the judge, as backends/cpu asks for it ---- */

static enum aisp_status far_make(void *judge, const struct cpu_far_place *place, int n, int *fd, struct aisp_err *err)
{
    struct cuda_place p[AISP_MAX_FAR];

    for (int i = 0; i < n; i++)
        p[i] = (struct cuda_place){ place[i].map_bytes, place[i].data_offset, place[i].bytes };
    return cuda_judge_allocate(judge, p, n, fd, err);
}

static enum aisp_status far_unmake(void *judge, struct aisp_err *err)
{
    return cuda_judge_release(judge, err);
}

static void far_fill(void *judge, int buffer, const struct aisp_filling *what, int64_t first, int64_t n)
{
    cuda_judge_fill(judge, buffer, what, first, n);
}

static void far_poison(void *judge, int buffer, enum aisp_dtype dtype, const struct aisp_philox *key)
{
    cuda_judge_poison(judge, buffer, dtype, key);
}

static void far_write(void *judge, int buffer, size_t offset, const void *bytes, size_t n)
{
    cuda_judge_write(judge, buffer, offset, bytes, n);
}

static enum aisp_status far_flush(void *judge, struct aisp_err *err)
{
    return cuda_judge_flush(judge, err);
}

static enum aisp_status far_read(void *judge, int buffer, size_t offset, size_t n, void *to, struct aisp_err *err)
{
    return cuda_judge_read(judge, buffer, offset, n, to, the.read_ns == NOT_READ && n ? &the.read_ns : NULL, err);
}

static enum aisp_status far_canaries(void *judge, const int *buffer, int n, int64_t *bad, struct aisp_err *err)
{
    return cuda_judge_canaries(judge, buffer, n, bad, err);
}

static enum aisp_status far_holds(void *judge, int buffer, const struct cpu_far_contents *contents, int n, int64_t *bad,
                                  struct aisp_err *err)
{
    struct cuda_contents *c = aisp_xcalloc((size_t)n, sizeof *c);
    enum aisp_status st;

    for (int i = 0; i < n; i++)
        c[i] = (struct cuda_contents){ contents[i].what, contents[i].first, contents[i].n };
    st = cuda_judge_holds(judge, buffer, c, n, bad, err);
    free(c);
    return st;
}

static struct cpu_far far = {
    .make = far_make,
    .unmake = far_unmake,
    .fill = far_fill,
    .poison = far_poison,
    .write = far_write,
    .flush = far_flush,
    .read = far_read,
    .canaries = far_canaries,
    .holds = far_holds,
};

/* ---- sessions ---- */

/* Tensors lie on the host for both sides or for none; what the CPU alone can do is refused. */
static enum aisp_status check_spec(const struct aisp_session_spec *spec, struct aisp_err *err)
{
    const struct aisp_instance *inst = spec->inst;

    if (inst->n_ranks > 1 || inst->serving.requests || spec->is_measured)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "ranks, servers and the goal memory are not measured on cuda");
    for (int side = 0; side < 2 && spec->variant[side]; side++)
        if (spec->variant[side]->is_untrusted) /* a driver needs files that a stranger may not have */
            return aisp_fail(err, AISP_E_REFUSED, "%s is a stranger's, which does not run on cuda", spec->variant[side]->name);
    for (int t = 0; t < inst->n_tensors; t++) {
        bool is_host[2] = { false, false };

        if (inst->problem->tensor[t].role == AISP_FILE)
            return aisp_fail(err, AISP_E_UNAVAILABLE, "files are not given to workers on cuda");
        for (int side = 0; side < 2 && spec->variant[side]; side++) {
            char wish[16];

            aisp_declaration_place(&spec->variant[side]->decl, inst->problem->tensor[t].name, wish);
            is_host[side] = !strcmp(wish, "pinned") || !strcmp(wish, "pageable");
        }
        if (spec->variant[AISP_B] && is_host[AISP_A] != is_host[AISP_B])
            return aisp_fail(err, AISP_E_REFUSED, "%s lies on the host for %s and on the card for %s",
                             inst->problem->tensor[t].name, spec->variant[is_host[AISP_B]]->name,
                             spec->variant[is_host[AISP_A]]->name);
    }
    return AISP_OK;
}

/* While there is nobody yet who could keep the cache busy. */
static enum aisp_status learn_the_cache(const struct aisp_session_spec *spec, struct aisp_err *err)
{
    const double bytes = (double)aisp_instance_slot_bytes(spec->inst) * spec->n_slots +
                         (double)aisp_instance_weight_bytes(spec->inst); /* as core/run/cold.c counts them */

    the.hot_below = 0;
    the.known = (struct aisp_cold_facts){ 0 };
    the.is_swept = false;
    return bytes <= (double)the.card.l2_bytes ? AISP_OK
                                              : cuda_cold_calibrate(the.judge, the.card.l2_bytes, (uint64_t)spec->n_slots,
                                                                    &the.hot_below, &the.known, err);
}

static enum aisp_status open_session(const struct aisp_session_spec *spec, struct aisp_session **session,
                                     struct aisp_observation *seen, struct aisp_err *err)
{
    enum aisp_status st;
    int64_t bytes;

    *session = NULL;
    AISP_TRY(check_spec(spec, err));
    AISP_TRY(free_bytes(&bytes, err));
    far.judge = the.judge;
    far.library = the.library;
    far.granularity = (uint64_t)the.card.granularity;
    snprintf(far.visible, sizeof far.visible, "%s", the.card.uuid);
    AISP_TRY(learn_the_cache(spec, err));
    cuda_watch_open(spec, &far);
    st = cpu_open(spec, &far, session, seen, err);
    the.session = *session;
out:
    if (st == AISP_E_DEVICE)
        give_up();
    return st;
}

static void close_session(struct aisp_session *s)
{
    cpu_close(s);
    the.session = NULL;
}

/* The problem's kernel lies beside the variants; what it reads has to lie on the card, as it was before the call. */
static enum aisp_status truth(struct aisp_session *s, int slot, int tensor, int64_t first, int64_t n, void *to,
                              struct aisp_err *err)
{
    const char *variant = s->worker[AISP_A][0].path, *end = strrchr(variant, '/');
    struct cuda_truth t = { .param = s->inst.param,
                            .n_params = s->inst.n_params,
                            .n_tensors = s->inst.n_tensors,
                            .out = tensor,
                            .first = first,
                            .n = n,
                            .row_elements = s->inst.extent[tensor].row_elements };
    struct aisp_err why;
    enum aisp_status st;
    char *path;

    for (int i = 0; i < s->inst.n_tensors; i++) {
        const enum aisp_role role = s->inst.problem->tensor[i].role;

        t.view[i] = role == AISP_OUT ? -1 : cpu_buffer_of(s, slot, i)->far;
        if (role == AISP_INOUT || (role != AISP_OUT && t.view[i] < 0))
            return aisp_fail(err, AISP_E_UNAVAILABLE, "%s does not lie on the card as it was before the call",
                             s->inst.problem->tensor[i].name);
    }
    path = aisp_format("%.*s/reference.cuda.so", end ? (int)(end - variant) : 1, end ? variant : ".");
    t.path = path;
    st = access(path, R_OK) ? aisp_fail(&why, AISP_E_UNAVAILABLE, "no %s", path)
                            : cuda_judge_truth(s->far->judge, &t, to, &why);
    free(path);
    if (st == AISP_E_DEVICE)
        s->far_error = why;
    if (st && err)
        *err = why;
    return st;
}

static enum aisp_status chill(struct aisp_session *s, int percent, struct aisp_cold_facts *facts, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (!the.hot_below)
        AISP_TRY(cuda_cold_calibrate(s->far->judge, the.card.l2_bytes, (uint64_t)s->n_slots, &the.hot_below, &the.known, err));
    cuda_cold_tell(&the.known, facts);
    facts->swept_bytes = cuda_cold_sweep(s->far->judge, the.card.l2_bytes, percent);
    the.is_swept = percent == 100 && facts->swept_bytes > 0;
    AISP_TRY(cpu_far_ready(s, err));
out:
    return st;
}

static enum aisp_status lines(struct aisp_session *s, int slot, uint64_t seed, struct aisp_cold_look *look, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(cuda_cold_look(s, slot, seed, the.hot_below, look, err));
    if (the.is_swept)
        AISP_TRY(cuda_cold_compare(s->far->judge, the.card.l2_bytes, seed, the.hot_below, &the.known, err));
out:
    return st;
}

static enum aisp_status window(struct aisp_session *s, enum aisp_side side, const struct aisp_order *order,
                               struct aisp_window *times, struct aisp_observation *seen, struct aisp_err *err)
{
    the.read_ns = NOT_READ; /* the first look is taken at done, within */
    the.replace_ns = 0;
    return cuda_watch_window(s, side, order, times, seen, err);
}

/* The copy that reads an output may pass by a kernel of another context that runs still; one that writes a word there may wait for it
 * instead, and then all that is asked later is answered at once: so that counts too. A kernel does not pass by, but its turn may just
 * have come when it is asked for; and behind it a context that is not done has a turn of its own again. So two are asked. */
static int64_t answer(struct aisp_session *s)
{
    enum { PROBES = 2 };
    int64_t sum_ns = the.replace_ns + (the.read_ns == NOT_READ ? 0 : the.read_ns);

    for (int i = 0; i < PROBES; i++) {
        int64_t ns = 0;

        if (s->far_error.status || cuda_judge_probe(s->far->judge, &ns, &s->far_error))
            return -1;
        sum_ns += ns;
    }
    return sum_ns;
}

static bool replace(struct aisp_session *s, enum aisp_side side, int slot, int tensor, size_t offset, size_t n_bytes,
                    const void *from)
{
    const int buffer = cpu_buffer_of(s, slot, tensor)->far;
    const int64_t begin_ns = aisp_now_ns();
    bool is_there;

    if (buffer < 0)
        return cpu_overwrite(s, side, slot, tensor, offset, n_bytes, from);
    cuda_judge_write(s->far->judge, buffer, offset, from, n_bytes);
    is_there = !s->far_error.status && !cuda_judge_flush(s->far->judge, &s->far_error);
    the.replace_ns += aisp_now_ns() - begin_ns;
    return is_there;
}

static void limits(struct aisp_device_limits *limits)
{
    struct aisp_err err;

    if (probe(&err))
        return;
    *limits = (struct aisp_device_limits){
        .cache_bytes = { -1, the.card.l2_bytes, -1 },
        .dram_gbps = 2e-6 * the.card.memory_khz * the.card.bus_bits / 8,
    };
    snprintf(limits->card, sizeof limits->card, "%s", the.card.uuid);
    snprintf(limits->name, sizeof limits->name, "%s", the.card.name);
}

AISP_ROW(aisp_backends, struct aisp_backend, cuda) = {
    .name = "cuda",
    .title = "NVIDIA cards",
    .probe = probe,
    .limits = limits,
    .fits = fits,
    .open = open_session,
    .close = close_session,
    .leave = cpu_leave,
    .fill = cpu_fill,
    .plant = cpu_plant,
    .poison = cpu_poison,
    .window = window,
    .hold = cpu_hold,
    .read = cpu_read,
    .truth = truth,
    .input = cpu_input,
    .chill = chill,
    .lines = lines,
    .inspect = cpu_inspect,
    .account = cpu_account,
    .trace = cuda_watch_trace,
    .process = cuda_watch_process,
    .overwrite = cpu_overwrite,
    .replace = replace,
    .answer = answer,
    .pid = cpu_pid,
};
