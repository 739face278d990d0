/* rig.c - a variant's tensors: where they lie, what is in them, and what a call may not have changed.
 * The contents are functions of (tensor, number of the contents), made on the host by the harness's own generator. */
#include "plain/plain.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/judge/fill.h"
#include "core/judge/plant.h"

enum { ORDINARY = 2, MOST_THREADS = 16, LEAST_PART = 1 << 20, WEIGHTS = -1 };

static enum plain_place place_of(const struct plain_rig *rig, int t)
{
    char wish[16];

    aisp_declaration_place(&rig->decl, rig->inst.problem->tensor[t].name, wish);
    return !strcmp(wish, "pinned") ? PLAIN_PINNED : !strcmp(wish, "pageable") ? PLAIN_PAGEABLE : PLAIN_DEVICE;
}

static enum aisp_status refuse_what_is_not_plain(const struct aisp_instance *inst, struct aisp_err *err)
{
    if (inst->n_ranks > 1)
        return aisp_fail(err, AISP_E_REFUSED, "the problem has ranks: aisp-plain runs one process");
    if (inst->serving.requests)
        return aisp_fail(err, AISP_E_REFUSED, "the problem's calls are traces: aisp-plain sends no requests");
    for (int t = 0; t < inst->n_tensors; t++)
        if (inst->problem->tensor[t].role == AISP_FILE)
            return aisp_fail(err, AISP_E_REFUSED, "tensor %s is a file: aisp-plain makes none", inst->problem->tensor[t].name);
    return AISP_OK;
}

/* Two; for times as many as keep the last cache from helping, and as memory (a third is left to variants and truth) allows. */
static int wanted_slots(const struct plain_rig *rig)
{
    const size_t slot = aisp_instance_slot_bytes(&rig->inst), weights = aisp_instance_weight_bytes(&rig->inst);
    int n = 2;

    while (rig->options->time && n < PLAIN_MOST_SLOTS && (int64_t)slot * n <= 3 * rig->machine.cache_bytes)
        n++;
    while (n > 1 && weights + slot * (size_t)n > rig->machine.free_bytes / 3 * 2)
        n--;
    return n;
}

static enum aisp_status allocate_slot(struct plain_rig *rig, int slot, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int t = 0; t < rig->inst.n_tensors; t++) {
        const bool is_weight = rig->inst.problem->tensor[t].role == AISP_WEIGHT;
        struct plain_buffer *buffer = is_weight ? &rig->weight[t] : &rig->slot[slot][t];

        if (!buffer->at)
            AISP_TRY(plain_allocate(&rig->machine, rig->inst.extent[t].bytes, place_of(rig, t), buffer, err));
        rig->address[slot][t] = buffer->at;
    }
out:
    return st;
}

struct part { struct aisp_filling what; void *to; int64_t first, n; };

static void *fill_part(void *arg)
{
    const struct part *p = arg;

    aisp_fill(&p->what, p->to, p->first, p->n);
    return NULL;
}

/* By as many threads as pay. The first part is filled before the others begin: tables that a fill keeps are then there. */
static void fill(const struct aisp_filling *what, void *to)
{
    const int64_t n = what->elements, cpus = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t parts = aisp_fill_is_chunked(&what->fill) ? n / LEAST_PART : 1, each;
    struct part part[MOST_THREADS];
    pthread_t thread[MOST_THREADS];
    int n_threads = 0;

    parts = parts > MOST_THREADS ? MOST_THREADS : parts;
    parts = parts > cpus ? cpus : parts;
    if (parts < 2) {
        aisp_fill(what, to, 0, n);
        return;
    }
    each = (n / parts + 63) / 64 * 64;
    aisp_fill(what, to, 0, 64);
    for (int64_t first = 0; first < n; first += each) {
        part[n_threads] = (struct part){ *what, to, first, n - first < each ? n - first : each };
        if (pthread_create(&thread[n_threads], NULL, fill_part, &part[n_threads]))
            fill_part(&part[n_threads]);
        else
            n_threads++;
    }
    while (n_threads > 0)
        pthread_join(thread[--n_threads], NULL);
}

static struct aisp_philox key_of(const struct plain_rig *rig, const char *label, int t, int contents)
{
    const struct aisp_key key = aisp_key_derive(&rig->key, label, t, contents, 0, 0);

    return aisp_philox_of(&key);
}

static void fill_host(const struct plain_rig *rig, int t, int contents)
{
    const struct aisp_tensor *tensor = &rig->inst.problem->tensor[t];
    const struct aisp_filling what = { tensor->fill, tensor->dtype, rig->inst.extent[t].elements, key_of(rig, "fill", t, contents) };
    enum aisp_plant kind[AISP_N_PLANTS];
    const int n = aisp_plants(&rig->inst, kind), plant = contents - ORDINARY;
    struct aisp_planting planting = { .inst = &rig->inst, .tensor = t, .fill = what.key,
                                      .key = aisp_key_derive(&rig->key, "plant", contents, 0, 0, 0) };

    if (plant >= 0 && plant < n && tensor->role != AISP_WEIGHT) {
        planting.kind = kind[plant];
        if (aisp_plant_make(&planting, rig->host[t]))
            return;
    }
    fill(&what, rig->host[t]);
}

int plain_n_contents(const struct plain_rig *rig)
{
    enum aisp_plant kind[AISP_N_PLANTS];

    return ORDINARY + aisp_plants(&rig->inst, kind);
}

const char *plain_contents_name(const struct plain_rig *rig, int contents)
{
    enum aisp_plant kind[AISP_N_PLANTS];
    const int n = aisp_plants(&rig->inst, kind);

    if (contents < ORDINARY || contents >= ORDINARY + n)
        return "ordinary contents";
    return aisp_plant_name(kind[contents - ORDINARY]);
}

enum aisp_status plain_contents(struct plain_rig *rig, int slot, int contents, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int t = 0; t < rig->inst.n_tensors; t++) {
        const struct aisp_tensor *tensor = &rig->inst.problem->tensor[t];

        if (tensor->role == AISP_WEIGHT || (tensor->role == AISP_OUT && rig->options->no_poison))
            continue;
        if (tensor->role == AISP_OUT) {
            rig->poison[t] = key_of(rig, "poison", t, contents);
            aisp_poison(rig->host[t], rig->inst.extent[t].bytes, tensor->dtype, &rig->poison[t]);
        } else {
            fill_host(rig, t, contents);
        }
        AISP_TRY(plain_write(&rig->machine, &rig->slot[slot][t], rig->host[t], err));
    }
out:
    return st;
}

static enum aisp_status load_weights(struct plain_rig *rig, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int t = 0; t < rig->inst.n_tensors; t++) {
        if (rig->inst.problem->tensor[t].role != AISP_WEIGHT)
            continue;
        fill_host(rig, t, WEIGHTS);
        AISP_TRY(plain_write(&rig->machine, &rig->weight[t], rig->host[t], err));
    }
out:
    return st;
}

enum aisp_status plain_rig_init(struct plain_rig *rig, const struct plain_options *options, const struct aisp_problem *problem,
                                const struct aisp_declaration *decl, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    memset(rig, 0, sizeof *rig);
    rig->options = options;
    if (decl)
        rig->decl = *decl;
    AISP_TRY(aisp_instance_init(&rig->inst, problem, options->size, options->set, options->n_set, err));
    AISP_TRY(refuse_what_is_not_plain(&rig->inst, err));
    AISP_TRY(plain_machine_open(&rig->machine, options->on_cuda, err));
    rig->n_slots = wanted_slots(rig);
    for (int slot = 0; slot < rig->n_slots; slot++)
        AISP_TRY(allocate_slot(rig, slot, err));
    for (int t = 0; t < rig->inst.n_tensors; t++) {
        rig->host[t] = aligned_alloc(64, (rig->inst.extent[t].bytes + 127) / 64 * 64);
        if (!rig->host[t])
            AISP_TRY(aisp_fail(err, AISP_E_NO_MEMORY, "no %zu bytes on the host", rig->inst.extent[t].bytes));
    }
    AISP_TRY(load_weights(rig, err));
    for (int slot = 0; slot < rig->n_slots; slot++)
        AISP_TRY(plain_contents(rig, slot, WEIGHTS - 1 - slot, err));
out:
    return st;
}

/* Garbage in it, since no variant may count on zeros. */
enum aisp_status plain_rig_workspace(struct plain_rig *rig, size_t bytes, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;
    void *garbage;

    if (!bytes)
        return AISP_OK;
    AISP_TRY(plain_allocate(&rig->machine, bytes, PLAIN_DEVICE, &rig->workspace, err));
    if (rig->options->no_poison)
        return AISP_OK;
    garbage = aisp_xmalloc(bytes);
    memset(garbage, 0xa5, bytes);
    st = plain_write(&rig->machine, &rig->workspace, garbage, err);
    free(garbage);
out:
    return st;
}

void plain_rig_release(struct plain_rig *rig)
{
    plain_free(&rig->machine, &rig->workspace);
    for (int t = 0; t < AISP_MAX_TENSORS; t++) {
        plain_free(&rig->machine, &rig->weight[t]);
        for (int slot = 0; slot < PLAIN_MOST_SLOTS; slot++)
            plain_free(&rig->machine, &rig->slot[slot][t]);
        free(rig->host[t]);
    }
    plain_machine_close(&rig->machine);
    memset(rig, 0, sizeof *rig);
}

void plain_view(const struct plain_rig *rig, const void *tensor[AISP_MAX_TENSORS])
{
    for (int t = 0; t < rig->inst.n_tensors; t++)
        tensor[t] = rig->inst.problem->tensor[t].role == AISP_OUT ? NULL : rig->host[t];
}

enum aisp_status plain_find_changed(struct plain_rig *rig, int slot, int *changed, struct aisp_err *err)
{
    enum { PART = 64 << 20 };
    char *room = aisp_xmalloc(PART);
    enum aisp_status st = AISP_OK;

    *changed = -1;
    for (int t = 0; t < rig->inst.n_tensors && *changed < 0; t++) {
        const enum aisp_role role = rig->inst.problem->tensor[t].role;
        const struct plain_buffer *buffer = role == AISP_WEIGHT ? &rig->weight[t] : &rig->slot[slot][t];

        for (size_t at = 0; !aisp_role_is_output(role) && at < buffer->bytes && *changed < 0; at += PART) {
            const size_t n = buffer->bytes - at < PART ? buffer->bytes - at : PART;

            AISP_TRY(plain_read(&rig->machine, buffer, at, n, room, err));
            if (memcmp(room, (const char *)rig->host[t] + at, n))
                *changed = t;
        }
    }
out:
    free(room);
    return st;
}
