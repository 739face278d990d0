/* contents.c - which contents each slot holds, and new ones within a budget.
 * Contents are a function of (secret of the session, slot, tensor, chunk, epoch): so they are never stored, and an old input
 * can be made again when a wrong output looks like the right answer to it.
 * What is refilled before a timed window depends on what a window can afford (its filling costs at most a tenth of it):
 * every used slot, else a secret subset of them, else secret chunks of one. Outputs are poisoned in every used slot whatever
 * that costs: a slot left unpoisoned with old contents would hold its right answer already, and the worker could see that.
 * Tensors that a call changes (INOUT) are always refilled: a second call would see the first one's output. */
#include "core/run/rig.h"

#include <stdlib.h>
#include <string.h>

#include "core/judge/fill.h"
#include "core/judge/plant.h"

enum { CHUNK_ELEMENTS = 64, LEAST_CHUNK_BYTES = 4096 };

static bool is_filled(const struct aisp_rig *rig, int tensor)
{
    return aisp_role_is_filled(rig->inst->problem->tensor[tensor].role);
}

void aisp_contents_init(struct aisp_rig *rig, int64_t chunk_bytes)
{
    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const struct aisp_tensor *tensor = &rig->inst->problem->tensor[t];
        const struct aisp_extent *extent = &rig->inst->extent[t];
        const int64_t bytes = (int64_t)aisp_dtype_bytes(tensor->dtype);
        struct aisp_contents *c = &rig->contents[t];
        int64_t elements = extent->elements;

        rig->has_inout |= tensor->role == AISP_INOUT;
        if (!is_filled(rig, t))
            continue;
        if (chunk_bytes > 0 && chunk_bytes < (int64_t)extent->bytes &&
            aisp_fill_is_chunked(&tensor->fill)) {
            elements = (chunk_bytes < LEAST_CHUNK_BYTES ? LEAST_CHUNK_BYTES : chunk_bytes) / bytes;
            elements = (elements + CHUNK_ELEMENTS - 1) / CHUNK_ELEMENTS * CHUNK_ELEMENTS;
        }
        c->chunk_elements = elements;
        c->n_chunks = (extent->elements + elements - 1) / elements;
        c->now = aisp_xcalloc((size_t)(rig->n_slots * c->n_chunks), sizeof *c->now);
        c->before = aisp_xcalloc((size_t)(rig->n_slots * c->n_chunks), sizeof *c->before);
    }
}

void aisp_contents_release(struct aisp_rig *rig)
{
    for (int t = 0; t < AISP_MAX_TENSORS; t++) {
        free(rig->contents[t].now);
        free(rig->contents[t].before);
        free(rig->remade[t]);
        rig->remade[t] = NULL;
    }
}

static struct aisp_philox chunk_key(const struct aisp_rig *rig, int slot, int tensor, int64_t chunk,
                                    int32_t epoch)
{
    const struct aisp_key key = aisp_key_derive(&rig->key, "fill", slot, tensor, chunk, epoch);

    return aisp_philox_of(&key);
}

/* Room for the contents of a tensor, as they are made again. */
static void *remade_room(struct aisp_rig *rig, int tensor)
{
    const struct aisp_extent *extent = &rig->inst->extent[tensor];

    if (!rig->remade[tensor])
        rig->remade[tensor] = aligned_alloc(64, (extent->bytes + 127) / 64 * 64);
    if (!rig->remade[tensor])
        AISP_BUG("no memory to make %zu bytes of %s again", extent->bytes,
                 rig->inst->problem->tensor[tensor].name);
    return rig->remade[tensor];
}

static int64_t chunk_length(const struct aisp_rig *rig, int tensor, int64_t chunk)
{
    const struct aisp_contents *c = &rig->contents[tensor];
    const int64_t left = rig->inst->extent[tensor].elements - chunk * c->chunk_elements;

    return left < c->chunk_elements ? left : c->chunk_elements;
}

/* By turns, so that no kind is left out by chance; where the turn begins is secret. */
enum aisp_plant aisp_contents_plant(const struct aisp_rig *rig, int slot, int32_t epoch)
{
    const int turn = rig->n_plants ? (slot + epoch + rig->plant_offset) % (rig->n_plants + 1) : 0;

    return turn ? rig->plants[turn - 1] : AISP_PLANT_NONE;
}

enum aisp_plant aisp_contents_plant_now(const struct aisp_rig *rig, int slot)
{
    for (int t = 0; t < rig->inst->n_tensors; t++)
        if (is_filled(rig, t))
            return aisp_contents_plant(rig, slot, rig->contents[t].now[slot * rig->contents[t].n_chunks]);
    return AISP_PLANT_NONE;
}

/* The planted contents of a slot's tensor into rig->remade[tensor]; false: it has ordinary ones. */
static bool make_planted(struct aisp_rig *rig, int slot, int tensor, int32_t epoch)
{
    const struct aisp_planting what = {
        .inst = rig->inst,
        .kind = aisp_contents_plant(rig, slot, epoch),
        .tensor = tensor,
        .fill = chunk_key(rig, slot, tensor, 0, epoch),
        .key = aisp_key_derive(&rig->key, "plant", slot, epoch, 0, 0),
    };

    return what.kind != AISP_PLANT_NONE && rig->contents[tensor].n_chunks == 1 &&
           aisp_plant_make(&what, remade_room(rig, tensor));
}

static enum aisp_status fill_chunk(struct aisp_rig *rig, int slot, int tensor, int64_t chunk,
                                   struct aisp_err *err)
{
    const struct aisp_contents *c = &rig->contents[tensor];
    const int32_t epoch = rig->n_windows;
    const int64_t n = chunk_length(rig, tensor, chunk), at = slot * c->n_chunks + chunk;
    const struct aisp_philox key = chunk_key(rig, slot, tensor, chunk, epoch);

    c->before[at] = c->now[at];
    c->now[at] = epoch;
    rig->course->filled_bytes +=
        n * (int64_t)aisp_dtype_bytes(rig->inst->problem->tensor[tensor].dtype);
    if (make_planted(rig, slot, tensor, epoch))
        return rig->backend->plant(rig->session, slot, tensor, rig->remade[tensor], err);
    return rig->backend->fill(rig->session, slot, tensor, &key, chunk * c->chunk_elements, n, err);
}

static enum aisp_status fill_slot(struct aisp_rig *rig, int slot, bool only_inout,
                                  struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int t = 0; t < rig->inst->n_tensors; t++) {
        if (!is_filled(rig, t) || (only_inout && rig->inst->problem->tensor[t].role != AISP_INOUT))
            continue;
        for (int64_t c = 0; c < rig->contents[t].n_chunks; c++)
            AISP_TRY(fill_chunk(rig, slot, t, c, err));
    }
out:
    return st;
}

/* Around every filling: the time is the judge's. */
static enum aisp_status timed(struct aisp_rig *rig, int64_t start_ns, enum aisp_status st)
{
    const int64_t ns = aisp_now_ns() - start_ns;

    rig->course->filled_ns += ns;
    rig->course->ev->fill_ns += ns;
    return st;
}

enum aisp_status aisp_contents_fill_all(struct aisp_rig *rig, struct aisp_err *err)
{
    const int64_t start = aisp_now_ns();
    enum aisp_status st = AISP_OK;

    for (int slot = 0; slot < rig->n_slots; slot++)
        AISP_TRY(fill_slot(rig, slot, false, err));
out:
    return timed(rig, start, st);
}

static int64_t input_bytes(const struct aisp_rig *rig)
{
    int64_t bytes = 0;

    for (int t = 0; t < rig->inst->n_tensors; t++)
        if (is_filled(rig, t))
            bytes += (int64_t)rig->inst->extent[t].bytes;
    return bytes;
}

/* A secret chunk of a secret slot, every byte being equally likely. A tensor that cannot be filled in chunks is drawn by one
 * of the chunks that it would have: its whole filling then costs the budget on average. */
static enum aisp_status refill_chunk(struct aisp_rig *rig, int slot, int64_t budget_bytes,
                                     struct aisp_err *err)
{
    int64_t drawn = (int64_t)aisp_dice_below(&rig->dice, (uint64_t)input_bytes(rig));

    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const struct aisp_contents *c = &rig->contents[t];
        const int64_t bytes = (int64_t)rig->inst->extent[t].bytes;

        if (!is_filled(rig, t))
            continue;
        if (drawn >= bytes) {
            drawn -= bytes;
            continue;
        }
        if (c->n_chunks > 1)
            return fill_chunk(rig, slot, t, drawn * c->n_chunks / bytes, err);
        return bytes <= budget_bytes || drawn < budget_bytes ? fill_chunk(rig, slot, t, 0, err)
                                                             : AISP_OK;
    }
    return AISP_OK;
}

static bool affords_all(int64_t bytes, int n_used, int64_t budget_bytes)
{
    return budget_bytes < 0 || budget_bytes / (bytes + 1) >= n_used;
}

bool aisp_contents_is_partial(const struct aisp_rig *rig, int n_used, int64_t budget_bytes)
{
    const int64_t bytes = input_bytes(rig);

    return bytes > 0 && !affords_all(bytes, n_used, budget_bytes);
}

enum aisp_status aisp_contents_refill(struct aisp_rig *rig, int n_used, int64_t budget_bytes,
                                      struct aisp_err *err)
{
    const int64_t start = aisp_now_ns(), bytes = input_bytes(rig);
    const bool all = affords_all(bytes, n_used, budget_bytes);
    enum aisp_status st = AISP_OK;
    int32_t pick[AISP_RUN_MAX_SLOTS];
    int n = n_used;

    if (bytes == 0)
        return AISP_OK;
    memcpy(pick, rig->order, (size_t)n_used * sizeof *pick);
    if (!aisp_defends(rig->course->plan->policy, AISP_FRESH_CONTENTS)) {
        n = 0;
    } else if (!all) {
        aisp_dice_shuffle(&rig->dice, pick, n_used);
        n = (int)(budget_bytes / bytes);
    }
    for (int i = 0; i < n; i++)
        AISP_TRY(fill_slot(rig, pick[i], false, err));
    for (int i = n; i < n_used && rig->has_inout; i++)
        AISP_TRY(fill_slot(rig, pick[i], true, err));
    if (n == 0 && aisp_defends(rig->course->plan->policy, AISP_FRESH_CONTENTS))
        AISP_TRY(refill_chunk(rig, pick[0], budget_bytes, err));
out:
    return timed(rig, start, st);
}

struct aisp_philox aisp_contents_key_at_go(const struct aisp_rig *rig, int slot, const struct aisp_at_go *new)
{
    const struct aisp_key key = aisp_key_derive(&rig->key, "new at go", slot, new->tensor, new->first, new->epoch);

    return aisp_philox_of(&key);
}

enum aisp_status aisp_contents_undo_at_go(struct aisp_rig *rig, bool is_filled, struct aisp_err *err)
{
    const struct aisp_at_go *new = &rig->at_go;
    const int slot = new->slot;
    const struct aisp_contents *c = &rig->contents[new->tensor];
    struct aisp_philox key;
    int64_t chunk;

    rig->at_go.slot = -1;
    if (slot < 0 || is_filled)
        return AISP_OK;
    chunk = new->first / c->chunk_elements;
    key = chunk_key(rig, slot, new->tensor, chunk, c->now[slot * c->n_chunks + chunk]);
    return rig->backend->fill(rig->session, slot, new->tensor, &key, chunk * c->chunk_elements, chunk_length(rig, new->tensor, chunk),
                              err);
}

struct aisp_philox aisp_contents_poison_key(const struct aisp_rig *rig, int slot, int tensor)
{
    const struct aisp_key key =
        aisp_key_derive(&rig->key, "poison", slot, tensor, rig->poison_epoch, 0);

    return aisp_philox_of(&key);
}

enum aisp_status aisp_contents_poison(struct aisp_rig *rig, int n_used, bool all,
                                      struct aisp_err *err)
{
    const int64_t start = aisp_now_ns();
    enum aisp_status st = AISP_OK;

    if (!all && !aisp_defends(rig->course->plan->policy, AISP_POISON_OUTPUTS))
        return AISP_OK;
    rig->poison_epoch = rig->n_windows;
    for (int i = 0; i < (all ? rig->n_slots : n_used); i++) {
        const int slot = all ? i : rig->order[i];

        for (int t = 0; t < rig->inst->n_tensors; t++) {
            const struct aisp_philox key = aisp_contents_poison_key(rig, slot, t);

            if (rig->inst->problem->tensor[t].role == AISP_OUT)
                AISP_TRY(rig->backend->poison(rig->session, slot, t, &key, err));
        }
    }
out:
    rig->course->ev->fill_ns += aisp_now_ns() - start;
    return st;
}

static void remake_chunk(struct aisp_rig *rig, int slot, int tensor, int64_t chunk, int32_t epoch)
{
    const struct aisp_tensor *of = &rig->inst->problem->tensor[tensor];
    const struct aisp_filling what = { of->fill, of->dtype, rig->inst->extent[tensor].elements,
                                       chunk_key(rig, slot, tensor, chunk, epoch) };

    if (make_planted(rig, slot, tensor, epoch))
        return;
    aisp_fill(&what, remade_room(rig, tensor), chunk * rig->contents[tensor].chunk_elements,
              chunk_length(rig, tensor, chunk));
}

static void remake_at_go(struct aisp_rig *rig)
{
    const struct aisp_at_go *new = &rig->at_go;
    const struct aisp_tensor *of = &rig->inst->problem->tensor[new->tensor];
    const struct aisp_filling what = { of->fill, of->dtype, rig->inst->extent[new->tensor].elements,
                                       aisp_contents_key_at_go(rig, new->slot, new) };

    aisp_fill(&what, remade_room(rig, new->tensor), new->first, new->n);
}

const void *aisp_contents_remake(struct aisp_rig *rig, int slot, int tensor, enum aisp_when when)
{
    const struct aisp_contents *c = &rig->contents[tensor];

    for (int64_t i = 0; i < c->n_chunks; i++) {
        const int64_t at = slot * c->n_chunks + i;

        remake_chunk(rig, slot, tensor, i,
                     when == AISP_NOW || when == AISP_EARLY ? c->now[at]
                     : when == AISP_BEFORE                  ? c->before[at]
                                                            : 0);
    }
    if (when == AISP_NOW && rig->at_go.slot == slot && rig->at_go.tensor == tensor)
        remake_at_go(rig);
    return rig->remade[tensor];
}

const void *aisp_contents_remake_at(struct aisp_rig *rig, int slot, int tensor, int32_t epoch)
{
    for (int64_t i = 0; i < rig->contents[tensor].n_chunks; i++)
        remake_chunk(rig, slot, tensor, i, epoch);
    return rig->remade[tensor];
}
